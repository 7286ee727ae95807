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
//	scheduler, err := gocron.NewScheduler(gocron.WithDistributedElector(elector))
//	...
//	err = scheduler.Shutdown() // waits for its jobs
//	err = elector.Close()      // so that another instance becomes the leader
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
	"time"

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

// NewLocker returns a locker. Nobody gets a lock for Options.Keep after its job. Two runs of a job are
// never closer than that, so that an instance whose clock is late does not run the job again. Keep must
// be longer than the differences between the clocks of the instances, and shorter than the interval of
// the job less its duration. Options.Wait is not used: an instance that waits would run the job again.
func NewLocker(client *quorumlock.Client, options quorumlock.Options) *Locker {
	options.Wait = 0
	return &Locker{client: client, options: options}
}

// Lock acquires the lock of a job, or returns an error of [quorumlock.Client.Acquire]. The lock
// outlives ctx: gocron cancels it while the job runs, if the scheduler stops or the job is removed.
func (l *Locker) Lock(ctx context.Context, job string) (gocron.Lock, error) {
	acquiring, cancel := context.WithCancel(context.WithoutCancel(ctx))
	acquired := context.AfterFunc(ctx, cancel)
	lock, err := l.client.Acquire(acquiring, job, l.options)
	if err == nil && !acquired() {
		_ = release(lock)
		err = ctx.Err()
	}
	if err != nil {
		cancel()
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

// Unlock returns a *quorumlock.LeaseLostError if the lease was lost while the job ran, and a
// *quorumlock.UnavailableError if the service does not answer for three seconds. The release then goes
// on in the background, until the TTL ends the lease.
func (h held) Unlock(context.Context) error { return release(h.lock) }

func release(lock *quorumlock.Lock) error {
	released := make(chan error, 1)
	go func() { released <- lock.Release() }()
	select {
	case err := <-released:
		return err
	case <-time.After(3 * time.Second):
		return &quorumlock.UnavailableError{Err: errors.New("the release goes on in the background")}
	}
}
