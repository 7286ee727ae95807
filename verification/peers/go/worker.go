// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	locks     = 60
	contended = 10
)

// library is a lock library.
type library struct {
	acquire  func(name string, ttl time.Duration) (lease, error)
	shortest time.Duration // the shortest TTL
}

// lease is a lock that was acquired.
type lease interface {
	// until returns until when its user may rely on it, by what the library tells.
	until() int64
	// fence returns its fencing token, or 0 if the library has none.
	fence() int64
	extend() error
	release() error
	// abandon leaves it to expire.
	abandon()
}

// worker acquires, extends and releases one lock at a time, and records each call.
type worker struct {
	name    string
	library library
	history *history
	stopped *atomic.Bool
	leases  int
}

func (w *worker) run() {
	for !w.stopped.Load() {
		w.round()
	}
}

func (w *worker) round() {
	many := locks
	if percent(33) {
		many = contended
	}
	ttl := between(300*time.Millisecond, 800*time.Millisecond)
	if percent(20) {
		ttl = between(800*time.Millisecond, 2*time.Second)
	}
	ttl = max(ttl, w.library.shortest)
	w.leases++
	asked := terms{
		Names: []string{fmt.Sprint("fault/", rand.IntN(many))},
		Token: fmt.Sprint(w.name, "-", w.leases),
		TTL:   int64(ttl),
		Kind:  kind{"EXCLUSIVE"},
	}
	var held lease
	got := w.record("ACQUIRE", asked, &held, func() (err error) {
		held, err = w.library.acquire(asked.Names[0], ttl)
		return err
	})
	if !got {
		if held != nil {
			held.release()
		}
		time.Sleep(between(5*time.Millisecond, 40*time.Millisecond))
		return
	}
	if w.hold(asked, held, ttl) {
		w.record("RELEASE", asked, &held, held.release)
	} else {
		held.abandon()
	}
	time.Sleep(between(5*time.Millisecond, 30*time.Millisecond))
}

// hold works with a lease, and tells whether to release it.
func (w *worker) hold(asked terms, held lease, ttl time.Duration) bool {
	extend := func() bool { return w.record("EXTEND", asked, &held, held.extend) }
	switch way := rand.IntN(100); {
	case way < 70:
		time.Sleep(between(5*time.Millisecond, 30*time.Millisecond))
	case way < 80:
		time.Sleep(between(0, ttl))
	case way < 92: // longer than the TTL, with extensions in time
		end := time.Now().Add(between(0, 3*ttl))
		for extended := true; extended && time.Now().Before(end) && !w.stopped.Load(); {
			time.Sleep(between(ttl/20, ttl/3))
			extended = extend()
		}
	case way < 97: // beyond the end, like a holder that was paused
		time.Sleep(ttl + between(0, 200*time.Millisecond))
		if percent(50) {
			extend()
		}
	default:
		return false
	}
	return true
}

// record makes a call, writes it down, and tells whether it was successful. A lease that has ended by what the library tells
// is not counted.
func (w *worker) record(operation string, asked terms, held *lease, do func() error) bool {
	sent := now()
	err := do()
	answered := now()
	got := result{Outcome: "UNCONFIRMED"}
	if err == nil && operation == "RELEASE" {
		got.Outcome = "DONE"
	} else if err == nil {
		if until := (*held).until(); until >= answered {
			got = result{Outcome: "DONE", Fence: (*held).fence(), Validity: until - sent}
		}
	}
	w.history.write(line{"call", call{w.name, operation, sent, answered, asked, got}})
	return got.Outcome == "DONE"
}

// now returns the time of the monotonic clock of the machine.
func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

func percent(of int) bool { return rand.IntN(100) < of }

func between(least, most time.Duration) time.Duration {
	return least + rand.N(most-least+1)
}
