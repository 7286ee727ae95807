// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"
)

const (
	// The shortest that a server with default settings grants.
	sessionTTL  = 2 * time.Second
	callTimeout = time.Second
)

// useEtcdRequests relies on a session for its TTL after the last request that was answered.
func useEtcdRequests(servers []string) library { return useEtcd(servers, false) }

// useEtcdSessions relies on a session until it is done.
func useEtcdSessions(servers []string) library { return useEtcd(servers, true) }

func useEtcd(servers []string, untilDone bool) library {
	client, err := clientv3.New(clientv3.Config{Endpoints: servers, DialTimeout: 5 * time.Second, Logger: zap.NewNop()})
	exitOn(err)
	return library{shortest: sessionTTL, acquire: func(name string, ttl time.Duration) (lease, error) {
		ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
		defer cancel()
		asked := now()
		granted, err := client.Grant(ctx, int64(ttl/time.Second))
		if err != nil {
			return nil, err
		}
		session, err := concurrency.NewSession(client,
			concurrency.WithLease(granted.ID), concurrency.WithTTL(int(granted.TTL)))
		if err != nil {
			return nil, err
		}
		l := &etcdLease{session: session, mutex: concurrency.NewMutex(session, "/"+name), untilDone: untilDone}
		l.renewed(asked, granted.TTL)
		if err := l.mutex.Lock(ctx); err != nil {
			session.Close()
			return nil, err
		}
		return l, nil
	}}
}

type etcdLease struct {
	session   *concurrency.Session
	mutex     *concurrency.Mutex
	untilDone bool
	end       int64
}

func (l *etcdLease) renewed(asked, seconds int64) {
	l.end = asked + seconds*int64(time.Second)
}

func (l *etcdLease) until() int64 {
	if !l.untilDone {
		return l.end
	}
	read := now()
	select {
	case <-l.session.Done():
		return 0
	default:
		return read
	}
}

// fence returns the revision of the store when the lock was acquired.
func (l *etcdLease) fence() int64 { return l.mutex.Header().Revision }

// extend renews the lease of the session. The session does so too, but does not tell when.
func (l *etcdLease) extend() error {
	if l.untilDone {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	asked := now()
	answer, err := l.session.Client().KeepAliveOnce(ctx, l.session.Lease())
	if err == nil {
		l.renewed(asked, answer.TTL)
	}
	return err
}

// release deletes the key of the lock, and otherwise ends its session.
func (l *etcdLease) release() error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	unlocked := l.mutex.Unlock(ctx)
	closed := l.session.Close()
	if unlocked == nil {
		return nil
	}
	return closed
}

func (l *etcdLease) abandon() { l.session.Orphan() }
