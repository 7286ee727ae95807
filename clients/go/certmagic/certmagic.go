// SPDX-License-Identifier: Apache-2.0

// Package certmagic adds the locks of Quorumlock to any storage of CertMagic, so that one instance
// obtains or renews a certificate while the others wait for it.
//
//	certmagic.Default.Storage = quorumlockcertmagic.New(storage, client, quorumlock.Options{})
//
// A lease is renewed until Unlock. If it is lost, for example because the process was suspended for
// longer than the TTL, another instance may obtain the same certificate, and both certificates are
// valid. CertMagic does not end an attempt that runs. Before its next attempt it calls
// RenewLockLease, which acquires the lock again.
package certmagic

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// patience is the longest wait of one request for a lock, after which a service that does not answer
// is an error.
const patience = 10 * time.Second

// Storage is a certmagic.Storage whose locks are those of Quorumlock.
type Storage struct {
	certmagic.Storage
	client  *quorumlock.Client
	options quorumlock.Options

	mu   sync.Mutex
	held map[string][]*quorumlock.Lock // Leases that were not unlocked yet, the oldest first: a lost one has a successor.
}

// New returns a storage that stores where the other one does. Locks have the names that CertMagic
// chooses, after "certmagic/".
func New(storage certmagic.Storage, client *quorumlock.Client, options quorumlock.Options) *Storage {
	return &Storage{Storage: storage, client: client, options: options, held: map[string][]*quorumlock.Lock{}}
}

// Lock waits for the lock until ctx ends. A service that does not answer, or refuses the name, is an error.
func (s *Storage) Lock(ctx context.Context, name string) error {
	for {
		if err := s.acquire(ctx, name, patience); !isHeld(err) {
			return err
		}
	}
}

// TryLock reports whether it acquired the lock, without a wait.
func (s *Storage) TryLock(ctx context.Context, name string) (bool, error) {
	err := s.acquire(ctx, name, 0)
	if isHeld(err) {
		return false, nil
	}
	return err == nil, err
}

func (s *Storage) acquire(ctx context.Context, name string, wait time.Duration) error {
	options := s.options
	options.Wait = wait
	lock, err := s.client.Acquire(ctx, "certmagic/"+name, options)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[name] = append(s.held[name], lock)
	return nil
}

func isHeld(err error) bool {
	var held *quorumlock.HeldError
	return errors.As(err, &held)
}

// Unlock releases the lock. It returns a *quorumlock.LeaseLostError if the lease was lost before, and
// was not acquired again, and a *quorumlock.UnavailableError if the service does not answer for three
// seconds. The release then goes on in the background, until the TTL ends the lease.
func (s *Storage) Unlock(_ context.Context, name string) error {
	s.mu.Lock()
	locks := s.held[name]
	if len(locks) == 0 {
		s.mu.Unlock()
		return notLocked(name)
	}
	if s.held[name] = locks[1:]; len(locks) == 1 {
		delete(s.held, name)
	}
	s.mu.Unlock()
	released := make(chan error, 1)
	go func() { released <- locks[0].Release() }()
	select {
	case err := <-released:
		return err
	case <-time.After(3 * time.Second):
		return &quorumlock.UnavailableError{Err: errors.New("the release goes on in the background")}
	}
}

// RenewLockLease returns nil if this process holds the lock. The client renews a lease without this
// call. If the lease was lost, RenewLockLease tries once to acquire the lock again, without a wait.
// The error is then one of [quorumlock.Client.Acquire], such as a *quorumlock.HeldError.
func (s *Storage) RenewLockLease(ctx context.Context, name string, _ time.Duration) error {
	s.mu.Lock()
	locks := s.held[name]
	s.mu.Unlock()
	if len(locks) == 0 {
		return notLocked(name)
	}
	if locks[len(locks)-1].Held() {
		return nil
	}
	_ = locks[len(locks)-1].Release() // the service may have it for a moment yet
	if err := s.acquire(ctx, name, 0); err != nil {
		return err
	}
	_ = s.Unlock(ctx, name) // the new lease takes the place of a lost one
	return nil
}

func notLocked(name string) error { return fmt.Errorf("quorumlock: %s is not locked", name) }
