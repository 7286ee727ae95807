// SPDX-License-Identifier: Apache-2.0

package gocron_test

import (
	"sync"
	"testing"
	"time"

	"github.com/go-co-op/gocron/v2"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// TestEachFiringRunsOnce has three instances, whose clocks differ by up to half a second, with a job
// each second for a minute.
func TestEachFiringRunsOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	const firings, interval = 60, time.Second
	name, begin := name(t), time.Now().Add(2*interval)
	var mu sync.Mutex
	runs := map[int]int{}
	for _, late := range []time.Duration{0, interval / 4, interval / 2} {
		scheduler, err := gocron.NewScheduler(
			gocron.WithDistributedLocker(locker(t, quorumlock.Options{Keep: interval * 7 / 10})))
		if err != nil {
			t.Fatal(err)
		}
		_, err = scheduler.NewJob(
			gocron.DurationJob(interval),
			gocron.NewTask(func() {
				work := time.NewTimer(10 * time.Millisecond)
				mu.Lock()
				runs[int((time.Since(begin)-late+interval/10)/interval)]++
				mu.Unlock()
				<-work.C
			}),
			gocron.WithName(name),
			gocron.WithStartAt(gocron.WithStartDateTime(begin.Add(late))),
		)
		if err != nil {
			t.Fatal(err)
		}
		scheduler.Start()
		defer func() { _ = scheduler.Shutdown() }()
	}
	<-time.After(time.Until(begin.Add(firings * interval)))
	mu.Lock()
	defer mu.Unlock()
	for firing := range firings {
		if runs[firing] != 1 {
			t.Errorf("firing %d ran %d times", firing, runs[firing])
		}
	}
}
