// SPDX-License-Identifier: Apache-2.0

package certmagic_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
	quorumlockcertmagic "github.com/quorumlock/quorumlock/clients/go/certmagic"
	"github.com/quorumlock/quorumlock/clients/go/internal/relay"
)

const long, short = 20 * time.Second, time.Second

// CertMagic has no tests for a Storage of others. Those of its own, about locks and data, are here:
//   - TestFileStorageWriteLock: TestLockWaitsForUnlock and TestContextThatEnded. Only FileStorage locks
//     without a look at a context that has ended.
//   - TestRenewLockLeaseWithInterface: TestRenewalAcquiresALostLockAgain.
//   - TestFileStorageStoreLoad: TestStorageIsThatOfTheOtherOne.
//
// Left out are those of code that a Storage does not have: TestFileStorageStoreLoadRace (writes of
// FileStorage), TestPrefixAndKeyBuilders, TestRenewLockLeaseDuration (an argument that is not used
// here), and TestRenewLockLeaseWithoutInterface.
var (
	_ certmagic.Storage          = (*quorumlockcertmagic.Storage)(nil)
	_ certmagic.TryLocker        = (*quorumlockcertmagic.Storage)(nil)
	_ certmagic.LockLeaseRenewer = (*quorumlockcertmagic.Storage)(nil)
)

func TestStorageIsThatOfTheOtherOne(t *testing.T) {
	storage := storage(t, relay.New(t).Client(), quorumlock.Options{})
	if err := storage.Store(t.Context(), "a/b", []byte("c")); err != nil {
		t.Fatal(err)
	}
	if value, err := storage.Load(t.Context(), "a/b"); err != nil || string(value) != "c" {
		t.Errorf("loaded %q: %v", value, err)
	}
}

func TestLockWaitsForUnlock(t *testing.T) {
	relay, name := relay.New(t), name(t)
	one := storage(t, relay.Client(), quorumlock.Options{})
	two := storage(t, relay.Client(), quorumlock.Options{})
	lock(t, one, name)
	if locked, err := two.TryLock(t.Context(), name); locked || err != nil {
		t.Fatal("a held lock gave", locked, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := two.Lock(ctx, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("a wait to the end of its context gave", err)
	}
	waited := make(chan error)
	go func() { waited <- two.Lock(t.Context(), name) }()
	unlock(t, one, name)
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
	unlock(t, two, name)
}

func TestContextThatEnded(t *testing.T) {
	storage, name := storage(t, relay.New(t).Client(), quorumlock.Options{}), name(t)
	lock(t, storage, name)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := storage.Lock(ended, name); !errors.Is(err, context.Canceled) {
		t.Error("Lock returned", err)
	}
	if err := storage.Unlock(ended, name); err != nil {
		t.Error("Unlock returned", err)
	}
	lock(t, storage, name)
	unlock(t, storage, name)
}

func TestUnlockWithoutTheServiceGoesOnInTheBackground(t *testing.T) {
	relay, name := relay.New(t), name(t)
	one := storage(t, relay.Client(), quorumlock.Options{TTL: 2 * long})
	lock(t, one, name)
	relay.Stop()
	begun := time.Now()
	var unavailable *quorumlock.UnavailableError
	if err := one.Unlock(t.Context(), name); !errors.As(err, &unavailable) {
		t.Error("Unlock returned", err)
	}
	relay.Restart()
	lock(t, one, name)
	if waited := time.Since(begun); waited > long {
		t.Error("Unlock, and the next Lock, waited for", waited)
	}
	unlock(t, one, name)
}

func TestGoroutinesTakeTurns(t *testing.T) {
	storage, name := storage(t, relay.New(t).Client(), quorumlock.Options{}), name(t)
	var all sync.WaitGroup
	counted := 0 // not atomic
	for range 4 {
		all.Go(func() {
			for range 5 {
				lock(t, storage, name)
				counted++
				unlock(t, storage, name)
			}
		})
	}
	all.Wait()
	if counted != 20 {
		t.Error("counted", counted)
	}
}

func TestUnlockWithoutLockIsAnError(t *testing.T) {
	storage := storage(t, relay.New(t).Client(), quorumlock.Options{})
	if err := storage.Unlock(t.Context(), name(t)); err == nil {
		t.Error("unlocked")
	}
	if err := storage.RenewLockLease(t.Context(), name(t), long); err == nil {
		t.Error("renewed")
	}
}

func TestLossIsAnErrorOfUnlock(t *testing.T) {
	relay, name := relay.New(t), name(t)
	storage := storage(t, relay.Client(), quorumlock.Options{TTL: short})
	lock(t, storage, name)
	lose(t, relay, storage, name)
	lock(t, storage, name) // its successor in the same process
	if err := storage.RenewLockLease(t.Context(), name, long); err != nil {
		t.Error("the successor was not renewed:", err)
	}
	var loss *quorumlock.LeaseLostError
	if err := storage.Unlock(t.Context(), name); !errors.As(err, &loss) {
		t.Error("Unlock returned", err)
	}
	unlock(t, storage, name)
}

func TestRenewalAcquiresALostLockAgain(t *testing.T) {
	relay, name := relay.New(t), name(t)
	one := storage(t, relay.Client(), quorumlock.Options{TTL: short})
	lock(t, one, name)
	lose(t, relay, one, name)
	two := storage(t, relay.Client(), quorumlock.Options{})
	lock(t, two, name)
	if err := one.RenewLockLease(t.Context(), name, long); !isHeld(err) {
		t.Error("a lock of another instance was renewed:", err)
	}
	unlock(t, two, name)
	if err := one.RenewLockLease(t.Context(), name, long); err != nil {
		t.Error("a free lock was not renewed:", err)
	}
	if locked, err := two.TryLock(t.Context(), name); locked || err != nil {
		t.Error("a renewed lock gave", locked, err)
	}
	unlock(t, one, name)
	if err := one.Unlock(t.Context(), name); err == nil {
		t.Error("unlocked twice")
	}
	lock(t, two, name)
	unlock(t, two, name)
}

func TestInstanceThatWasSuspendedPastItsLeaseWaitsForTheOtherOne(t *testing.T) {
	storage := storage(t, relay.New(t).Client(), quorumlock.Options{TTL: 2 * time.Second})
	if name := relay.Held(); name != "" {
		lock(t, storage, name)
		fmt.Println("locked")
		var err error
		for err == nil {
			err = storage.RenewLockLease(t.Context(), name, long)
		}
		fmt.Println(err)
		for err != nil {
			err = storage.RenewLockLease(t.Context(), name, long)
		}
		fmt.Println("renewed, unlocked:", storage.Unlock(t.Context(), name))
		return
	}
	name := name(t)
	other := relay.Start(t, name)
	other.Suspend()
	lock(t, storage, name)
	other.Resume()
	other.Prints("is held by ")
	unlock(t, storage, name)
	other.Prints("renewed, unlocked: <nil>")
}

func TestLockSurvivesARestartOfTheService(t *testing.T) {
	relay, name := relay.New(t), name(t)
	storage := storage(t, relay.Client(), quorumlock.Options{TTL: long})
	lock(t, storage, name)
	relay.Stop()
	relay.Restart()
	if locked, err := storage.TryLock(t.Context(), name); locked || err != nil {
		t.Error("a held lock gave", locked, err)
	}
	unlock(t, storage, name)
}

func TestServiceThatIsAwayIsAnError(t *testing.T) {
	for _, fault := range []func(*relay.Relay){(*relay.Relay).Stop, (*relay.Relay).Hang} {
		relay := relay.New(t)
		storage := storage(t, relay.Client(), quorumlock.Options{})
		fault(relay)
		var unavailable *quorumlock.UnavailableError
		if err := storage.Lock(t.Context(), name(t)); !errors.As(err, &unavailable) {
			t.Error("Lock returned", err)
		}
	}
}

func TestRefusalsAreErrors(t *testing.T) {
	client := relay.New(t).Client()
	for name, options := range map[string]quorumlock.Options{
		"a//b":                   {},
		"a/extend":               {},
		strings.Repeat("x", 513): {},
		name(t):                  {TTL: 48 * time.Hour},
	} {
		var refused *quorumlock.RefusedError
		if err := storage(t, client, options).Lock(t.Context(), name); !errors.As(err, &refused) {
			t.Errorf("%q with %v gave %v", name, options, err)
		}
	}
}

func TestLockOfAKilledProcessEnds(t *testing.T) {
	storage := storage(t, relay.New(t).Client(), quorumlock.Options{TTL: 5 * time.Second})
	if name := relay.Held(); name != "" {
		lock(t, storage, name)
		fmt.Println("locked")
		select {}
	}
	name := name(t)
	relay.Start(t, name).Kill()
	lock(t, storage, name)
	unlock(t, storage, name)
}

// lose stops the service until the lease of the storage is over.
func lose(t *testing.T, relay *relay.Relay, storage *quorumlockcertmagic.Storage, name string) {
	relay.Stop()
	for storage.RenewLockLease(t.Context(), name, long) == nil {
		runtime.Gosched()
	}
	relay.Restart()
}

func isHeld(err error) bool {
	var held *quorumlock.HeldError
	return errors.As(err, &held)
}

func storage(t *testing.T, client *quorumlock.Client, options quorumlock.Options) *quorumlockcertmagic.Storage {
	return quorumlockcertmagic.New(&certmagic.FileStorage{Path: t.TempDir()}, client, options)
}

func lock(t *testing.T, storage certmagic.Storage, name string) {
	t.Helper()
	if err := storage.Lock(t.Context(), name); err != nil {
		t.Error("not locked:", err)
	}
}

func unlock(t *testing.T, storage certmagic.Storage, name string) {
	t.Helper()
	if err := storage.Unlock(t.Context(), name); err != nil {
		t.Error("not unlocked:", err)
	}
}

func name(t *testing.T) string { return fmt.Sprintf("%s/%d", t.Name(), time.Now().UnixNano()) }
