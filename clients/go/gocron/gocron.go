// SPDX-License-Identifier: Apache-2.0

// Package gocron lets one of several instances of a gocron scheduler run a job.
//
// With a [Locker], each run of a job belongs to one instance, whichever comes first:
//
//	locker := quorumlockgocron.NewLocker(client, quorumlock.Options{Keep: 900 * time.Millisecond})
//	scheduler, err := gocron.NewScheduler(gocron.WithDistributedLocker(locker))
//
// With an [Elector], one instance runs all jobs until it stops:
//
//	elector := quorumlockgocron.NewElector(client, "shop/scheduler", quorumlock.Options{})
//	defer elector.Close()
//	scheduler, err := gocron.NewScheduler(gocron.WithDistributedElector(elector))
//
// A lease is renewed while its job runs. If it is lost, another instance may run the job at the same
// time: gocron does not end a job that runs. [Locker.OnLost] is then called, before the lease ends. In
// a process that was suspended for longer than the TTL, it is called when the process continues.
//
// gocron passes errors of Lock to the listener AfterLockError. It drops those of Unlock, after which
// the TTL ends the lease, and those of IsLeader: an elector with a refused name never leads. Call
// [Elector.IsLeader] once at the start to see its error.
package gocron

import (
	"context"
	"errors"
	"sync"

	"github.com/go-co-op/gocron/v2"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// Locker is a gocron.Locker. The name of a job is the name of its lock; a name that the service
// refuses is an error of Lock, which gocron passes to the listener AfterLockError.
type Locker struct {
	// OnLost is called if the lease of a running job is lost, with the name of the job and a
	// *quorumlock.LeaseLostError. It may be nil.
	OnLost func(job string, err error)

	client  *quorumlock.Client
	options quorumlock.Options
}

// NewLocker returns a locker. Options.Keep must be longer than the differences between the clocks of
// the instances, and shorter than the interval of the jobs less their duration: nobody gets a lock for
// that time after its job, so that an instance whose clock is late does not run the job again.
func NewLocker(client *quorumlock.Client, options quorumlock.Options) *Locker {
	return &Locker{client: client, options: options}
}

// Lock acquires the lock of a job, or returns an error of [quorumlock.Client.Acquire].
func (l *Locker) Lock(ctx context.Context, job string) (gocron.Lock, error) {
	lock, err := l.client.Acquire(ctx, job, l.options)
	if err != nil {
		return nil, err
	}
	if l.OnLost != nil {
		context.AfterFunc(lock.Context(), func() {
			var lost *quorumlock.LeaseLostError
			if cause := context.Cause(lock.Context()); errors.As(cause, &lost) {
				l.OnLost(job, cause)
			}
		})
	}
	return held{lock}, nil
}

type held struct{ lock *quorumlock.Lock }

// Unlock returns a *quorumlock.LeaseLostError if the lease was lost while the job ran.
func (h held) Unlock(context.Context) error { return h.lock.Release() }

// Elector is a gocron.Elector. The holder of one lock is the leader.
type Elector struct {
	client  *quorumlock.Client
	name    string
	options quorumlock.Options

	mu     sync.Mutex
	lock   *quorumlock.Lock // Or nil.
	closed bool
}

// NewElector returns an elector whose lock has this name.
func NewElector(client *quorumlock.Client, name string, options quorumlock.Options) *Elector {
	return &Elector{client: client, name: name, options: options}
}

// ErrClosed is the error of an elector after Close.
var ErrClosed = errors.New("quorumlock: the elector is closed")

// IsLeader returns nil if this instance is the leader, or becomes it because nobody is. Otherwise it
// returns an error of [quorumlock.Client.Acquire].
func (e *Elector) IsLeader(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	if e.lock != nil {
		if e.lock.Held() {
			return nil
		}
		_ = e.lock.Release() // it was lost
		e.lock = nil
	}
	lock, err := e.client.Acquire(context.WithoutCancel(ctx), e.name, e.options)
	if err == nil {
		e.lock = lock
	}
	return err
}

// Close ends the leadership of this instance, so that another one becomes the leader.
func (e *Elector) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.lock == nil {
		return nil
	}
	return e.lock.Release()
}
