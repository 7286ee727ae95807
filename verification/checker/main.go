// SPDX-License-Identifier: Apache-2.0

// Command checker decides whether histories of a lock service are possible for a lock with leases. It searches for an order
// of all calls, each between its request and its answer, in which a correct lock gives these answers. It shares no code with
// the service and its tests.
//
//	checker [-timeout 2m] [-picture FILE.html] HISTORY.jsonl...
//
// It ends with status 0 if all histories are possible, 1 if one is not, and 2 if a file cannot be read or not be decided.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

func main() {
	timeout := flag.Duration("timeout", 2*time.Minute, "the longest search in one piece of a history")
	picture := flag.String("picture", "", "a file for a picture of the first impossible piece")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	status := 0
	for _, path := range flag.Args() {
		status = max(status, check(path, *timeout, *picture))
	}
	os.Exit(status)
}

// piece is a part of the history of one lock.
type piece struct {
	lock       string
	first      state
	operations []*operation
	verdict    porcupine.CheckResult
}

func check(path string, timeout time.Duration, picture string) int {
	begin := time.Now()
	calls, err := readHistory(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "checker:", err)
		return 2
	}
	locks := byLock(calls)
	pieces := pieces(locks)
	search(pieces, timeout)

	verdict, status := summary(pieces, len(locks))
	if status == 1 {
		explain(pieces[slices.IndexFunc(pieces, isIllegal)], timeout, picture)
	}
	longest := 0
	for _, p := range pieces {
		longest = max(longest, len(p.operations))
	}
	leases := 0
	for i := range calls {
		if calls[i].hasLease() {
			leases++
		}
	}
	if leases == 0 {
		verdict, status = "no leases", 2
	}
	fmt.Printf("%s: %s: %d leases and extensions, %d locks, %d pieces, the longest with %d calls, %.1f s\n",
		path, verdict, leases, len(locks), len(pieces), longest, time.Since(begin).Seconds())
	return status
}

// summary returns the verdict on all pieces, and the status of the command.
func summary(pieces []*piece, locks int) (string, int) {
	illegal := map[string]bool{}
	for _, p := range pieces {
		if isIllegal(p) {
			illegal[p.lock] = true
		}
	}
	switch {
	case len(illegal) > 0:
		return fmt.Sprintf("illegal: %d of %d locks", len(illegal), locks), 1
	case slices.ContainsFunc(pieces, func(p *piece) bool { return p.verdict == porcupine.Unknown }):
		return "not decided in time", 2
	}
	return "legal", 0
}

func isIllegal(p *piece) bool { return p.verdict == porcupine.Illegal }

func pieces(locks map[string][]*operation) []*piece {
	var all []*piece
	for lock, operations := range locks {
		var first state
		for _, part := range cut(operations) {
			all = append(all, &piece{lock: lock, first: first, operations: part})
			first = first.after(part)
		}
	}
	slices.SortFunc(all, func(one, other *piece) int { return cmp.Compare(one.operations[0].call, other.operations[0].call) })
	return all
}

// search decides all pieces, two at a time because each can need much memory.
func search(pieces []*piece, timeout time.Duration) {
	waiting := make(chan *piece)
	var workers sync.WaitGroup
	for range [2]int{} {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for p := range waiting {
				p.verdict = porcupine.CheckOperationsTimeout(model(p.first), p.history(), timeout)
			}
		}()
	}
	for _, p := range pieces {
		waiting <- p
	}
	close(waiting)
	workers.Wait()
}

func (p *piece) history() []porcupine.Operation {
	history := make([]porcupine.Operation, len(p.operations))
	for i, op := range p.operations {
		history[i] = porcupine.Operation{ClientId: i, Input: op, Call: op.call, Return: op.last}
	}
	return history
}

// explain prints the end of the longest order that is possible, and the first call that has no place in it.
func explain(p *piece, timeout time.Duration, picture string) {
	const most = 12
	_, info := porcupine.CheckOperationsVerbose(model(p.first), p.history(), timeout)
	var order []porcupine.Operation
	for _, possible := range info.PartialLinearizationsOperations()[0] {
		if len(possible) > len(order) {
			order = possible
		}
	}
	placed := map[*operation]bool{}
	fmt.Printf("%s: no order of %d calls, the longest has %d of them and ends with\n", p.lock, len(p.operations), len(order))
	for i, next := range order {
		op := next.Input.(*operation)
		placed[op] = true
		if i >= len(order)-most {
			fmt.Printf("  from %d to %d: %v\n", op.call, op.last, op)
		}
	}
	var first *operation
	for _, op := range p.operations {
		if !placed[op] && (first == nil || op.last < first.last) {
			first = op
		}
	}
	fmt.Printf("  there is no place for, from %d to %d: %v\n", first.call, first.last, first)
	if picture == "" {
		return
	}
	if err := porcupine.VisualizePath(model(p.first), info, picture); err != nil {
		fmt.Fprintln(os.Stderr, "checker:", err)
	}
}
