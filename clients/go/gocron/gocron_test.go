// SPDX-License-Identifier: Apache-2.0

package gocron_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-co-op/gocron/v2"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
	quorumlockgocron "github.com/quorumlock/quorumlock/clients/go/gocron"
	"github.com/quorumlock/quorumlock/clients/go/internal/relay"
)

const long, short, patience = 20 * time.Second, time.Second, 40 * time.Second

func TestLockerLocksAJobUntilUnlock(t *testing.T) {
	locker, name := locker(t, quorumlock.Options{}), name(t)
	lock, err := locker.Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var held *quorumlock.HeldError
	if _, err := locker.Lock(t.Context(), name); !errors.As(err, &held) {
		t.Fatal("a held lock gave", err)
	}
	if err := lock.Unlock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lock, err = locker.Lock(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	_ = lock.Unlock(t.Context())
}

func TestKeepLetsNoLateInstanceRunTheJobAgain(t *testing.T) {
	locker, name := locker(t, quorumlock.Options{Keep: long}), name(t)
	lock, err := locker.Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Unlock(t.Context()); err != nil {
		t.Fatal(err)
	}
	var held *quorumlock.HeldError
	if _, err := locker.Lock(t.Context(), name); !errors.As(err, &held) || !held.Kept {
		t.Fatal("a kept lock gave", err)
	}
}

func TestGoroutinesDoNotShareALock(t *testing.T) {
	locker, name := locker(t, quorumlock.Options{}), name(t)
	var locked atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := locker.Lock(t.Context(), name); err == nil {
				locked.Add(1)
			}
		}()
	}
	all.Wait()
	if locked.Load() != 1 {
		t.Error("goroutines with the lock:", locked.Load())
	}
}

func TestLossIsReportedWhileTheJobRuns(t *testing.T) {
	relay := relay.New(t)
	locker := quorumlockgocron.NewLocker(relay.Client(), quorumlock.Options{TTL: short})
	lost := make(chan error, 1)
	locker.OnLost = func(_ string, err error) { lost <- err }
	lock, err := locker.Lock(t.Context(), name(t))
	if err != nil {
		t.Fatal(err)
	}
	relay.Stop()
	var loss *quorumlock.LeaseLostError
	if err := <-lost; !errors.As(err, &loss) {
		t.Error("OnLost got", err)
	}
	if err := lock.Unlock(t.Context()); !errors.As(err, &loss) {
		t.Error("Unlock returned", err)
	}
}

func TestLossIsReportedAfterTheShutdownOfTheScheduler(t *testing.T) {
	relay := relay.New(t)
	locker := quorumlockgocron.NewLocker(relay.Client(), quorumlock.Options{TTL: short})
	lost, started, stopped := make(chan error, 1), make(chan bool), make(chan error)
	locker.OnLost = func(_ string, err error) { lost <- err }
	scheduler := run(t, name(t), func() {
		started <- true
		<-lost
	}, gocron.WithDistributedLocker(locker))
	<-started
	go func() { stopped <- scheduler.Shutdown() }()
	relay.Stop()
	if err := <-stopped; err != nil {
		t.Error("the job was not told:", err)
	}
}

func TestLockIsNotAcquiredAfterItsContext(t *testing.T) {
	relay := relay.New(t)
	locker := quorumlockgocron.NewLocker(relay.Client(), quorumlock.Options{})
	relay.Hang()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for relay.Hanging() == 0 {
			runtime.Gosched()
		}
		cancel()
	}()
	if _, err := locker.Lock(ctx, name(t)); !errors.Is(err, context.Canceled) {
		t.Error("Lock returned", err)
	}
}

func TestUnlockWithoutTheServiceGoesOnInTheBackground(t *testing.T) {
	relay, name := relay.New(t), name(t)
	locker := quorumlockgocron.NewLocker(relay.Client(), quorumlock.Options{TTL: time.Minute})
	lock, err := locker.Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	relay.Stop()
	begun := time.Now()
	var unavailable *quorumlock.UnavailableError
	if err := lock.Unlock(t.Context()); !errors.As(err, &unavailable) {
		t.Error("Unlock returned", err)
	}
	if waited := time.Since(begun); waited > patience {
		t.Error("Unlock waited for", waited)
	}
	relay.Restart()
	next, err := client(t).Acquire(t.Context(), name, quorumlock.Options{Wait: patience})
	if err != nil {
		t.Fatal(err)
	}
	_ = next.Release()
}

func TestLockerDoesNotWait(t *testing.T) {
	locker, name := locker(t, quorumlock.Options{Wait: patience}), name(t)
	lock, err := locker.Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	var held *quorumlock.HeldError
	if _, err := locker.Lock(t.Context(), name); !errors.As(err, &held) || time.Since(begun) > patience/2 {
		t.Error("Lock returned", err, "after", time.Since(begun))
	}
	_ = lock.Unlock(t.Context())
}

func TestServiceThatIsAwayIsAnError(t *testing.T) {
	for _, fault := range []func(*relay.Relay){(*relay.Relay).Stop, (*relay.Relay).Hang} {
		relay := relay.New(t)
		locker := quorumlockgocron.NewLocker(relay.Client(), quorumlock.Options{})
		elector := quorumlockgocron.NewElector(relay.Client(), name(t), quorumlock.Options{})
		fault(relay)
		var unavailable *quorumlock.UnavailableError
		if _, err := locker.Lock(t.Context(), name(t)); !errors.As(err, &unavailable) {
			t.Error("Lock returned", err)
		}
		if err := elector.IsLeader(t.Context()); !errors.As(err, &unavailable) {
			t.Error("IsLeader returned", err)
		}
	}
}

func TestRefusalsAreErrors(t *testing.T) {
	for job, options := range map[string]quorumlock.Options{
		"a//b":                   {},
		"a/extend":               {},
		strings.Repeat("x", 513): {},
		name(t):                  {TTL: 48 * time.Hour},
	} {
		var refused *quorumlock.RefusedError
		if _, err := locker(t, options).Lock(t.Context(), job); !errors.As(err, &refused) {
			t.Errorf("%q with %v gave %v", job, options, err)
		}
		if err := elector(t, job, options).IsLeader(t.Context()); !errors.As(err, &refused) {
			t.Errorf("an elector for %q with %v gave %v", job, options, err)
		}
	}
}

func TestLockOfAKilledProcessEnds(t *testing.T) {
	if name := relay.Held(); name != "" {
		if _, err := locker(t, quorumlock.Options{TTL: 5 * time.Second}).Lock(t.Context(), name); err == nil {
			fmt.Println("locked")
		}
		select {}
	}
	name := name(t)
	relay.Start(t, name).Kill()
	lock, err := client(t).Acquire(t.Context(), name, quorumlock.Options{Wait: patience})
	if err != nil {
		t.Fatal(err)
	}
	_ = lock.Release()
}

func TestJobThatWasSuspendedPastItsLeaseLearnsTheLoss(t *testing.T) {
	if name := relay.Held(); name != "" {
		locker := locker(t, quorumlock.Options{TTL: 2 * time.Second})
		lost, ended := make(chan error, 1), make(chan bool)
		locker.OnLost = func(_ string, err error) { lost <- err }
		run(t, name, func() {
			fmt.Println("locked")
			fmt.Println("in the job:", <-lost)
			close(ended)
		}, gocron.WithDistributedLocker(locker))
		<-ended
		return
	}
	name := name(t)
	other := relay.Start(t, name)
	other.Suspend()
	lock, err := client(t).Acquire(t.Context(), name, quorumlock.Options{Wait: patience}) // the job runs here, too
	if err != nil {
		t.Fatal(err)
	}
	other.Resume()
	other.Prints("in the job: quorumlock: ")
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}

func TestLockSurvivesARestartOfTheService(t *testing.T) {
	relay, name := relay.New(t), name(t)
	locker := quorumlockgocron.NewLocker(relay.Client(), quorumlock.Options{TTL: long})
	lock, err := locker.Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	relay.Stop()
	relay.Restart()
	var held *quorumlock.HeldError
	if _, err := locker.Lock(t.Context(), name); !errors.As(err, &held) {
		t.Error("a held lock gave", err)
	}
	if err := lock.Unlock(t.Context()); err != nil {
		t.Error(err)
	}
}

// run runs a job at once, in a scheduler that ends with the test.
func run(t *testing.T, name string, job func(), options ...gocron.SchedulerOption) gocron.Scheduler {
	t.Helper()
	scheduler, err := gocron.NewScheduler(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = scheduler.Shutdown() })
	at := gocron.OneTimeJob(gocron.OneTimeJobStartImmediately())
	if _, err := scheduler.NewJob(at, gocron.NewTask(job), gocron.WithName(name)); err != nil {
		t.Fatal(err)
	}
	scheduler.Start()
	return scheduler
}

func client(t *testing.T) *quorumlock.Client {
	client, err := quorumlock.New(quorumlock.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func locker(t *testing.T, options quorumlock.Options) *quorumlockgocron.Locker {
	return quorumlockgocron.NewLocker(client(t), options)
}

func name(t *testing.T) string { return fmt.Sprintf("gocron/%s/%d", t.Name(), time.Now().UnixNano()) }
