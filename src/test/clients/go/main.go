// SPDX-License-Identifier: Apache-2.0

// Executes commands of the conformance suite with the Go client: JSON lines on stdin and stdout.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"


	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

type object = map[string]any

func main() {
	client, err := quorumlock.New(quorumlock.Config{})
	var lock *quorumlock.Lock
	var reported chan struct{}
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		var c struct {
			Do, Name, Owner                 string
			Names                           []string
			TTLMs, WaitMs, MarginMs, KeepMs time.Duration
			Shared                          bool
			Slots                           int
		}
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			panic(err)
		}
		switch c.Do {
		case "acquire":
			failure := err
			if failure == nil {
				options := quorumlock.Options{TTL: c.TTLMs * time.Millisecond, Wait: c.WaitMs * time.Millisecond,
					Owner: c.Owner, Margin: c.MarginMs * time.Millisecond, Keep: c.KeepMs * time.Millisecond,
					Shared: c.Shared, Slots: c.Slots}
				if c.Names == nil {
					lock, failure = client.Acquire(context.Background(), c.Name, options)
				} else {
					lock, failure = client.AcquireAll(context.Background(), c.Names, options)
				}
			}
			if failure != nil {
				write(describe(failure))
				break
			}
			write(object{"lease": true, "fencingToken": lock.FencingToken(), "slot": slotOf(lock)})
			reported = make(chan struct{})
			go report(lock, reported)
		case "held":
			write(object{"held": lock != nil && lock.Held(), "slot": slotOf(lock), "text": fmt.Sprint(lock)})
		case "release":
			failure := lock.Release()
			<-reported
			if refused := (*quorumlock.RefusedError)(nil); errors.As(failure, &refused) {
				write(describe(failure))
			} else {
				write(object{"released": true, "lost": failure != nil})
			}
		}
	}
	if lock != nil {
		_ = lock.Release()
	}
}

// slotOf returns the slot of a semaphore, or nil.
func slotOf(lock *quorumlock.Lock) any {
	if lock != nil {
		if slot, ok := lock.Slot(); ok {
			return slot
		}
	}
	return nil
}

// report writes the event if the lease is lost.
func report(lock *quorumlock.Lock, reported chan<- struct{}) {
	defer close(reported)
	<-lock.Context().Done()
	var lost *quorumlock.LeaseLostError
	if errors.As(context.Cause(lock.Context()), &lost) {
		write(object{"event": "lost", "reason": lost.Reason})
	}
}

func describe(err error) object {
	var held *quorumlock.HeldError
	var refused *quorumlock.RefusedError
	switch {
	case errors.As(err, &held):
		described := object{"error": "held", "remainingMs": held.Remaining.Milliseconds(), "kept": held.Kept,
			"names": held.Names, "message": err.Error()}
		if held.Owner != "" {
			described["owner"] = held.Owner
		}
		return described
	case errors.As(err, &refused):
		return object{"error": "refused", "status": refused.Status, "message": err.Error()}
	}
	return object{"error": "unavailable", "message": err.Error()}
}

// write writes a line with one call, so that lines of goroutines do not mix.
func write(line object) { _ = json.NewEncoder(os.Stdout).Encode(line) }
