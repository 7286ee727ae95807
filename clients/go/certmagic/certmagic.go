// SPDX-License-Identifier: Apache-2.0

// Package certmagic adds the locks of Quorumlock to any storage of CertMagic, so that one instance
// obtains or renews a certificate while the others wait for it.
//
//	certmagic.Default.Storage = quorumlockcertmagic.New(storage, client, quorumlock.Options{})
//
// A lease is renewed until Unlock. If it is lost, for example because the process was suspended for
// longer than the TTL, another instance may obtain the same certificate: CertMagic does not end its
// work, and both certificates are valid. RenewLockLease and Unlock then return the loss, which
// CertMagic logs.
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
		locked, err := s.try(ctx, name, patience)
		if locked || err != nil {
			return err
		}
	}
}

// TryLock reports whether it acquired the lock, without a wait.
func (s *Storage) TryLock(ctx context.Context, name string) (bool, error) {
	return s.try(ctx, name, 0)
}

func (s *Storage) try(ctx context.Context, name string, wait time.Duration) (bool, error) {
	options := s.options
	options.Wait = wait
	lock, err := s.client.Acquire(ctx, "certmagic/"+name, options)
	var held *quorumlock.HeldError
	if errors.As(err, &held) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[name] = append(s.held[name], lock)
	return true, nil
}

// Unlock releases the lock. It returns a *quorumlock.LeaseLostError if the lease was lost before.
func (s *Storage) Unlock(_ context.Context, name string) error {
	lock, err := s.oldest(name, true)
	if err != nil {
		return err
	}
	return lock.Release()
}

// RenewLockLease returns an error if the lease was lost. The client renews it without this call.
func (s *Storage) RenewLockLease(_ context.Context, name string, _ time.Duration) error {
	lock, err := s.oldest(name, false)
	if err == nil && !lock.Held() {
		err = context.Cause(lock.Context())
	}
	return err
}

func (s *Storage) oldest(name string, remove bool) (*quorumlock.Lock, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	locks := s.held[name]
	if len(locks) == 0 {
		return nil, fmt.Errorf("quorumlock: %s is not locked", name)
	}
	if remove {
		if s.held[name] = locks[1:]; len(locks) == 1 {
			delete(s.held, name)
		}
	}
	return locks[0], nil
}
