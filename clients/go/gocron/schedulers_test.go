// SPDX-License-Identifier: Apache-2.0

package gocron_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/go-co-op/gocron/v2"
	"github.com/google/uuid"
	"github.com/jonboulle/clockwork"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// TestThreeSchedulers has the cases of gocron's TestScheduler_WithDistributed, under their names. Its
// other case with a locker, TestScheduler_WithLocker_WithEventListeners, is
// TestListenerOfGocronGetsErrorsOfLock. Left out are its cases of options that are nil, which no
// provider sees.
func TestThreeSchedulers(t *testing.T) {
	one := map[gocron.JobStatus]int{gocron.Success: 1, gocron.Skip: 2}
	all := map[gocron.JobStatus]int{gocron.Success: 3}
	keep := quorumlock.Options{Keep: long}
	for _, test := range []struct {
		name    string
		options func(name string) []gocron.SchedulerOption
		want    map[gocron.JobStatus]int
	}{
		{"3 schedulers with elector", func(name string) []gocron.SchedulerOption {
			elector := elector(t, name, quorumlock.Options{})
			t.Cleanup(func() { _ = elector.Close() })
			return []gocron.SchedulerOption{gocron.WithDistributedElector(elector)}
		}, one},
		{"3 schedulers with locker", func(string) []gocron.SchedulerOption {
			return []gocron.SchedulerOption{gocron.WithDistributedLocker(locker(t, keep))}
		}, one},
		{"3 schedulers and job with Distributed locker", func(string) []gocron.SchedulerOption {
			return []gocron.SchedulerOption{
				gocron.WithGlobalJobOptions(gocron.WithDistributedJobLocker(locker(t, keep)))}
		}, one},
		{"3 schedulers and job with disabled Distributed locker", func(string) []gocron.SchedulerOption {
			return []gocron.SchedulerOption{
				gocron.WithDistributedLocker(locker(t, keep)),
				gocron.WithGlobalJobOptions(gocron.WithDisabledDistributedJobLocker(true))}
		}, all},
	} {
		t.Run(test.name, func(t *testing.T) {
			name, jobs := name(t), make(monitor)
			for range 3 {
				run(t, name, func() {}, append(test.options(name), gocron.WithMonitor(jobs))...)
			}
			got := map[gocron.JobStatus]int{}
			for range 3 {
				got[<-jobs]++
			}
			for status, count := range test.want {
				if got[status] != count {
					t.Errorf("%v, not %v", got, test.want)
				}
			}
		})
	}
}

// monitor is a gocron.Monitor that gets what became of each job.
type monitor chan gocron.JobStatus

func (m monitor) IncrementJob(_ uuid.UUID, _ string, _ []string, status gocron.JobStatus) {
	m <- status
}
func (m monitor) RecordJobTiming(time.Time, time.Time, uuid.UUID, string, []string) {}

func TestListenerOfGocronGetsErrorsOfLock(t *testing.T) {
	failures := make(chan error, 1)
	listener := gocron.AfterLockError(func(_ uuid.UUID, _ string, err error) { failures <- err })
	run(t, "a//b", func() { t.Error("the job ran") },
		gocron.WithDistributedLocker(locker(t, quorumlock.Options{})),
		gocron.WithGlobalJobOptions(gocron.WithEventListeners(listener)))
	var refused *quorumlock.RefusedError
	if err := <-failures; !errors.As(err, &refused) {
		t.Error("the listener got", err)
	}
}

// The times are so far apart that a busy machine does not change the results.
const (
	interval = 5 * time.Second
	minute   = 12 // firings
	keep     = 2500 * time.Millisecond
)

func TestEachFiringRunsOnceIfClocksDifferByLessThanKeep(t *testing.T) {
	runs := lockedRuns(t, keep, minute, 0, 250*time.Millisecond, 500*time.Millisecond)
	eachFiring(t, runs, minute, 1)
}

func TestFiringRunsAgainIfClocksDifferByMoreThanKeep(t *testing.T) {
	runs := lockedRuns(t, 500*time.Millisecond, 2, 0, keep)
	eachFiring(t, runs, 2, 2)
}

// TestRunsAreKeepApartWhateverTheClocks has an instance whose firing is at the time of the next one of
// another instance. The lock has the name of the job, so that either may run.
func TestRunsAreKeepApartWhateverTheClocks(t *testing.T) {
	runs := lockedRuns(t, 4*time.Second, minute, 0, interval/2, interval)
	for i := range runs[1:] {
		if apart := runs[i+1].at.Sub(runs[i].at); apart < 3*time.Second {
			t.Errorf("runs %d and %d are only %s apart", i, i+1, apart)
		}
	}
	if len(runs) < minute {
		t.Errorf("in a minute the job ran %d times", len(runs))
	}
}

func TestLeaderRunsEachFiringOnceWhateverTheClocks(t *testing.T) {
	runs := runs(t, minute, func(job string) gocron.SchedulerOption {
		elector := elector(t, job, quorumlock.Options{})
		t.Cleanup(func() { _ = elector.Close() })
		return gocron.WithDistributedElector(elector)
	}, 0, interval/2, interval)
	eachFiring(t, runs, minute, 1)
}

// aRun is a run of a job: its firing by the clock of its instance, from 0, and its time.
type aRun struct {
	firing int
	at     time.Time
}

func eachFiring(t *testing.T, runs []aRun, firings, want int) {
	t.Helper()
	count := map[int]int{}
	for _, run := range runs {
		count[run.firing]++
	}
	for firing := range firings {
		if count[firing] != want {
			t.Errorf("firing %d ran %d times, not %d", firing, count[firing], want)
		}
	}
}

func lockedRuns(t *testing.T, keep time.Duration, firings int, late ...time.Duration) []aRun {
	return runs(t, firings, func(string) gocron.SchedulerOption {
		return gocron.WithDistributedLocker(locker(t, quorumlock.Options{Keep: keep}))
	}, late...)
}

// runs returns the runs of a job of 10 ms, each interval, on one instance for each clock.
func runs(t *testing.T, firings int, coordinated func(job string) gocron.SchedulerOption, late ...time.Duration) []aRun {
	if testing.Short() {
		t.Skip("takes up to a minute")
	}
	t.Parallel()
	name, begin := name(t), time.Now().Add(interval/2).Truncate(interval).Add(interval)
	var mu sync.Mutex
	var runs []aRun
	for _, by := range late {
		clock := lateClock{clockwork.NewRealClock(), by}
		scheduler, err := gocron.NewScheduler(gocron.WithClock(clock), coordinated(name))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = scheduler.Shutdown() }()
		job := func() {
			work := time.NewTimer(10 * time.Millisecond)
			mu.Lock()
			// A timer may be a little early.
			if passed := clock.Since(begin) + 100*time.Millisecond; passed >= 0 {
				runs = append(runs, aRun{int(passed / interval), time.Now()})
			}
			mu.Unlock()
			<-work.C
		}
		each := gocron.CronJob("*/5 * * * * *", true)
		if _, err = scheduler.NewJob(each, gocron.NewTask(job), gocron.WithName(name)); err != nil {
			t.Fatal(err)
		}
		scheduler.Start()
	}
	end := begin.Add(time.Duration(firings)*interval + late[len(late)-1])
	<-time.After(time.Until(end))
	mu.Lock()
	defer mu.Unlock()
	return runs
}

// lateClock is a clock that is late.
type lateClock struct {
	clockwork.Clock
	by time.Duration
}

func (l lateClock) Now() time.Time                       { return l.Clock.Now().Add(-l.by) }
func (l lateClock) Since(moment time.Time) time.Duration { return l.Now().Sub(moment) }
func (l lateClock) Until(moment time.Time) time.Duration { return moment.Sub(l.Now()) }
