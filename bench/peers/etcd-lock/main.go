// SPDX-License-Identifier: Apache-2.0

// Clients that acquire and release the lock of etcd's own client in a closed loop. The arguments are the number of
// clients, each with a session and a lock of its own, or with "hot" one lock of all, and the members. An input line
// "run MILLISECONDS" is answered by "FAILED ELAPSED_NS LATENCY_NS...". The latency is that of a cycle, or of a hand-over:
// from the begin of a release to the next acquire. The process exits at the end of its input.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	clients, _ := strconv.Atoi(os.Args[1])
	hot := os.Args[2] == "hot"
	client, err := clientv3.New(clientv3.Config{Endpoints: strings.Split(os.Args[3], ","), DialTimeout: 5 * time.Second})
	exitOn(err)
	sessions := make([]*concurrency.Session, clients)
	for i := range sessions {
		sessions[i], err = concurrency.NewSession(client)
		exitOn(err)
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		milliseconds, _ := strconv.Atoi(strings.Fields(input.Text())[1])
		fmt.Println(run(sessions, hot, time.Duration(milliseconds)*time.Millisecond))
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(sessions []*concurrency.Session, hot bool, duration time.Duration) string {
	var failed, releasedAt atomic.Int64
	begin := time.Now()
	all := make([][]int64, len(sessions))
	var running sync.WaitGroup
	for i, session := range sessions {
		running.Add(1)
		go func(i int, session *concurrency.Session) {
			defer running.Done()
			name := "/etcd-lock/hot"
			if !hot {
				name = fmt.Sprint("/etcd-lock/", i)
			}
			mutex := concurrency.NewMutex(session, name)
			for began := time.Now(); began.Sub(begin) < duration; began = time.Now() {
				if mutex.Lock(context.Background()) != nil {
					failed.Add(1)
					continue
				}
				latency := time.Since(begin).Nanoseconds() - releasedAt.Load()
				releasedAt.Store(time.Since(begin).Nanoseconds())
				if mutex.Unlock(context.Background()) != nil {
					failed.Add(1)
					continue
				}
				if !hot {
					latency = time.Since(began).Nanoseconds()
				}
				all[i] = append(all[i], latency)
			}
		}(i, session)
	}
	running.Wait()
	var answer strings.Builder
	fmt.Fprint(&answer, failed.Load(), " ", time.Since(begin).Nanoseconds())
	for _, latencies := range all {
		for _, latency := range latencies {
			fmt.Fprint(&answer, " ", latency)
		}
	}
	return answer.String()
}
