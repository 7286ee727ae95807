// SPDX-License-Identifier: Apache-2.0

// Command peer uses a lock library under faults, and records all calls in the format of verification/history.md. It ends
// when its standard input is closed.
//
//	peer LIBRARY NAME HISTORY SERVER...
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

const workers = 12

func main() {
	libraries := map[string]func(servers []string) library{
		"redsync":      useRedsync,
		"etcd":         useEtcdRequests,
		"etcd-session": useEtcdSessions,
	}
	use, name, servers := libraries[os.Args[1]], os.Args[2], os.Args[4:]
	file, err := os.Create(os.Args[3])
	exitOn(err)
	history := &history{out: bufio.NewWriterSize(file, 1<<16)}
	library := use(servers)
	var stopped atomic.Bool
	var running sync.WaitGroup
	for i := range workers {
		running.Add(1)
		go func() {
			defer running.Done()
			w := worker{name: fmt.Sprint(name, "-", i+1), library: library, history: history, stopped: &stopped}
			w.run()
		}()
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	exitOn(err)
	stopped.Store(true)
	running.Wait()
	history.write(end{"end", name, history.lines})
	exitOn(history.out.Flush())
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

// history is a file of lines.
type history struct {
	mutex sync.Mutex
	out   *bufio.Writer
	lines int
}

func (h *history) write(one any) {
	text, err := json.Marshal(one)
	exitOn(err)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	_, err = h.out.Write(append(text, '\n'))
	exitOn(err)
	h.lines++
}

type line struct {
	Is   string `json:"is"`
	Call call   `json:"call"`
}

type end struct {
	Is      string `json:"is"`
	Process string `json:"process"`
	Lines   int    `json:"lines"`
}

type call struct {
	Client    string `json:"client"`
	Operation string `json:"operation"`
	Sent      int64  `json:"sent"`
	Answered  int64  `json:"answered"`
	Terms     terms  `json:"terms"`
	Result    result `json:"result"`
}

type terms struct {
	Names []string `json:"names"`
	Token string   `json:"token"`
	TTL   int64    `json:"ttl"`
	Kind  kind     `json:"kind"`
}

type kind struct {
	Type string `json:"type"`
}

type result struct {
	Outcome  string `json:"outcome"`
	Fence    int64  `json:"fence,omitempty"`
	Validity int64  `json:"validity,omitempty"`
}
