// SPDX-License-Identifier: Apache-2.0

package gocron

import (
	"context"
	"errors"
	"sync"

	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// Elector is a gocron.Elector. The holder of one lock is the leader, until Close.
type Elector struct {
	client  *quorumlock.Client
	name    string
	options quorumlock.Options
	open    context.Context
	close   context.CancelFunc

	mu   sync.Mutex
	last *attempt // Or nil.
}

// attempt is an attempt to become the leader. Its jobs share it.
type attempt struct {
	done chan struct{}
	lock *quorumlock.Lock // Or nil. Set before done is closed, as err.
	err  error
}

// NewElector returns an elector whose lock has this name. Wait is not used: a firing that waits would run
// later again on this instance.
func NewElector(client *quorumlock.Client, name string, options quorumlock.Options) *Elector {
	options.Wait = 0
	open, cancel := context.WithCancel(context.Background())
	return &Elector{client: client, name: name, options: options, open: open, close: cancel}
}

// ErrClosed is the error of an elector after Close.
var ErrClosed = errors.New("quorumlock: the elector is closed")

// IsLeader returns nil if this instance is the leader, or becomes it because nobody is. Otherwise it
// returns an error of [quorumlock.Client.Acquire], or of ctx. Calls at the same time share one attempt
// to become the leader, which goes on if ctx ends.
func (e *Elector) IsLeader(ctx context.Context) error {
	if e.open.Err() != nil {
		return ErrClosed
	}
	attempt := e.attempt()
	select {
	case <-attempt.done:
		return attempt.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt returns the last attempt if it has not ended, or made this instance the leader, else a new one.
func (e *Elector) attempt() *attempt {
	e.mu.Lock()
	defer e.mu.Unlock()
	last := e.last
	if last != nil {
		select {
		case <-last.done:
			if last.lock != nil && last.lock.Held() {
				return last
			}
		default:
			return last
		}
	}
	e.last = &attempt{done: make(chan struct{})}
	go e.try(e.last, last)
	return e.last
}

func (e *Elector) try(next, last *attempt) {
	defer close(next.done)
	if last != nil && last.lock != nil {
		_ = last.lock.Release() // it was lost
	}
	next.lock, next.err = e.client.Acquire(e.open, e.name, e.options)
}

// Close ends the leadership of this instance, so that another one becomes the leader. Call it after
// the shutdown of the scheduler, which waits for the jobs. Without the service, the error is as for Unlock.
func (e *Elector) Close() error {
	e.close()
	e.mu.Lock()
	last := e.last
	e.mu.Unlock()
	if last == nil {
		return nil
	}
	<-last.done
	if last.lock == nil {
		return nil
	}
	return release(last.lock)
}
