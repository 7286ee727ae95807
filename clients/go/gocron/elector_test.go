// SPDX-License-Identifier: Apache-2.0

package gocron_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/go-co-op/gocron/v2"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
	quorumlockgocron "github.com/quorumlock/quorumlock/clients/go/gocron"
	"github.com/quorumlock/quorumlock/clients/go/internal/relay"
)

func Example() {
	client, err := quorumlock.New(quorumlock.Config{}) // URLs from QUORUMLOCK_URL
	if err != nil {
		panic(err)
	}
	elector := quorumlockgocron.NewElector(client, "shop/scheduler", quorumlock.Options{})
	scheduler, err := gocron.NewScheduler(gocron.WithDistributedElector(elector))
	if err != nil {
		panic(err)
	}
	ran := make(chan string)
	at := gocron.OneTimeJob(gocron.OneTimeJobStartImmediately())
	if _, err = scheduler.NewJob(at, gocron.NewTask(func() { ran <- "report" })); err != nil {
		panic(err)
	}
	scheduler.Start()
	fmt.Println(<-ran)
	fmt.Println(scheduler.Shutdown(), elector.Close()) // in this order
	// Output:
	// report
	// <nil> <nil>
}

func TestOneInstanceIsTheLeader(t *testing.T) {
	relay, name := relay.New(t), name(t)
	first := quorumlockgocron.NewElector(relay.Client(), name, quorumlock.Options{TTL: long})
	second := quorumlockgocron.NewElector(relay.Client(), name, quorumlock.Options{TTL: long})
	if err := first.IsLeader(t.Context()); err != nil {
		t.Fatal(err)
	}
	relay.Stop()
	if err := first.IsLeader(t.Context()); err != nil {
		t.Error("the leader needs the service for an answer:", err)
	}
	relay.Restart()
	var held *quorumlock.HeldError
	if err := second.IsLeader(t.Context()); !errors.As(err, &held) {
		t.Error("a second leader:", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := first.IsLeader(t.Context()); !errors.Is(err, quorumlockgocron.ErrClosed) {
		t.Error("a closed elector returned", err)
	}
	if err := second.IsLeader(t.Context()); err != nil {
		t.Error("nobody is the leader:", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func TestGoroutinesShareALeader(t *testing.T) {
	elector := elector(t, name(t), quorumlock.Options{})
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := elector.IsLeader(t.Context()); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if err := elector.Close(); err != nil {
		t.Error(err)
	}
}

func TestJobsShareAnAttemptAndLeaveItWithTheirContext(t *testing.T) {
	const jobs = 5
	relay := relay.New(t)
	elector := quorumlockgocron.NewElector(relay.Client(), name(t), quorumlock.Options{TTL: long})
	relay.Hang()
	ask := func(ctx context.Context) (answers [jobs]error) {
		var all sync.WaitGroup
		for job := range jobs {
			all.Add(1)
			go func() {
				defer all.Done()
				answers[job] = elector.IsLeader(ctx)
			}()
		}
		all.Wait()
		return answers
	}
	ended, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for _, err := range ask(ended) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("a job whose context ended got", err)
		}
	}
	var unavailable *quorumlock.UnavailableError
	for _, err := range ask(t.Context()) { // during that attempt
		if !errors.As(err, &unavailable) {
			t.Error("a job got", err)
		}
	}
	if relay.Hanging() != 2 { // to acquire the lock, and to release what the service may have granted
		t.Error("connections:", relay.Hanging())
	}
}

func TestCloseEndsAnAttempt(t *testing.T) {
	relay := relay.New(t)
	elector := quorumlockgocron.NewElector(relay.Client(), name(t), quorumlock.Options{})
	relay.Hang()
	asked := make(chan error)
	go func() { asked <- elector.IsLeader(t.Context()) }()
	for relay.Hanging() == 0 {
		runtime.Gosched()
	}
	if err := elector.Close(); err != nil {
		t.Error(err)
	}
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Error("the attempt returned", err)
	}
}

func TestLeaderThatLosesItsLeaseIsElectedAgain(t *testing.T) {
	relay := relay.New(t)
	elector := quorumlockgocron.NewElector(relay.Client(), name(t), quorumlock.Options{TTL: short})
	if err := elector.IsLeader(t.Context()); err != nil {
		t.Fatal(err)
	}
	relay.Stop()
	for elector.IsLeader(t.Context()) == nil {
		runtime.Gosched() // until the lease is over
	}
	relay.Restart()
	awaitLeader(t, elector) // the service may end the lease later
	_ = elector.Close()
}

// awaitLeader asks until the elector is the leader. Until then, the lock is held by another one.
func awaitLeader(t *testing.T, elector *quorumlockgocron.Elector) {
	t.Helper()
	var held *quorumlock.HeldError
	err := elector.IsLeader(t.Context())
	for errors.As(err, &held) {
		err = elector.IsLeader(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestElectorDoesNotWait(t *testing.T) {
	name := name(t)
	leader := elector(t, name, quorumlock.Options{})
	if err := leader.IsLeader(t.Context()); err != nil {
		t.Fatal(err)
	}
	follower := elector(t, name, quorumlock.Options{Wait: time.Hour})
	var held *quorumlock.HeldError
	if err := follower.IsLeader(t.Context()); !errors.As(err, &held) {
		t.Error("a firing of a follower waited:", err)
	}
	_ = leader.Close()
}

func TestInstanceIsElectedAfterTheLeaderWasKilled(t *testing.T) {
	if name := relay.Held(); name != "" {
		if err := elector(t, name, quorumlock.Options{TTL: 5 * time.Second}).IsLeader(t.Context()); err == nil {
			fmt.Println("locked")
		}
		select {}
	}
	name := name(t)
	relay.Start(t, name).Kill()
	elector := elector(t, name, quorumlock.Options{})
	var held *quorumlock.HeldError
	if err := elector.IsLeader(t.Context()); !errors.As(err, &held) {
		t.Error("before the end of its lease:", err)
	}
	awaitLeader(t, elector)
	_ = elector.Close()
}

func TestLeaderThatWasSuspendedPastItsLeaseIsNoLeader(t *testing.T) {
	if name := relay.Held(); name != "" {
		elector := elector(t, name, quorumlock.Options{TTL: 2 * time.Second})
		err := elector.IsLeader(t.Context())
		fmt.Println("locked")
		for err == nil {
			err = elector.IsLeader(t.Context())
		}
		fmt.Println(err)
		return
	}
	name := name(t)
	other := relay.Start(t, name)
	other.Suspend()
	elector := elector(t, name, quorumlock.Options{})
	awaitLeader(t, elector)
	other.Resume()
	other.Prints("is held by ")
	if err := elector.Close(); err != nil {
		t.Error(err)
	}
}

func elector(t *testing.T, name string, options quorumlock.Options) *quorumlockgocron.Elector {
	return quorumlockgocron.NewElector(client(t), name, options)
}
