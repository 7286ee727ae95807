// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"time"

	"github.com/go-redsync/redsync/v4"
	pools "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

// nodeTimeout is that of the service in these runs. A server that hangs would otherwise delay all calls by seconds.
const nodeTimeout = 95 * time.Millisecond

func useRedsync(servers []string) library {
	var all []pools.Pool
	for _, server := range servers {
		all = append(all, goredis.NewPool(redis.NewClient(&redis.Options{
			Addr: server,
			// Without these, a command waits for three seconds, whatever its context says.
			ContextTimeoutEnabled: true,
			// A new connection takes longer than the timeout.
			MinIdleConns:    workers,
			Protocol:        2,
			DisableIdentity: true,
		})))
	}
	locks := redsync.New(all...)
	return library{acquire: func(name string, ttl time.Duration) (lease, error) {
		mutex := locks.NewMutex(name, redsync.WithExpiry(ttl), redsync.WithTries(1),
			redsync.WithTimeoutFactor(nodeTimeout.Seconds()/ttl.Seconds()))
		if err := mutex.Lock(); err != nil {
			return nil, err
		}
		return redsyncLease{mutex}, nil
	}}
}

type redsyncLease struct{ *redsync.Mutex }

func (l redsyncLease) until() int64 {
	read := now()
	return read + int64(time.Until(l.Until()))
}

func (l redsyncLease) fence() int64 { return 0 }

func (l redsyncLease) extend() error { return confirmed(l.Extend()) }

func (l redsyncLease) release() error { return confirmed(l.Unlock()) }

func (l redsyncLease) abandon() {}

func confirmed(done bool, err error) error {
	if err == nil && !done {
		return errors.New("no quorum")
	}
	return err
}
