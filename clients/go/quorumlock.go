// SPDX-License-Identifier: Apache-2.0

// Package quorumlock acquires, renews and releases locks of the Quorumlock service.
//
//	client, err := quorumlock.New(quorumlock.Config{}) // settings from the environment
//	...
//	lock, err := client.Acquire(ctx, "orders/42", quorumlock.Options{Wait: 10 * time.Second})
//	if err != nil {
//		return err
//	}
//	defer lock.Release()
//	return work(lock.Context(), lock.FencingToken())
//
// The lease is renewed until Release. If it is lost, [Lock.Context] is cancelled before the lease
// ends. A process that is paused for longer than that may still write too late: where that would do
// damage, send the fencing token with each write, and let the resource reject smaller tokens. To
// release locks when the program is asked to stop, take ctx from [signal.NotifyContext].
//
// The package is one file without dependencies: copy it into a package of your module, or run
// "go get github.com/quorumlock/quorumlock/clients/go".
package quorumlock

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// Config has the settings of a client. A zero field means the environment variable, or the default.
type Config struct {
	URLs        []string      // Base URLs of the replicas: QUORUMLOCK_URL (with commas), or http://localhost:8080.
	Key         string        // API key: QUORUMLOCK_KEY, or the file QUORUMLOCK_KEY_FILE, read again after a 401.
	CAFile      string        // Certificates of authorities, PEM: QUORUMLOCK_CA_FILE, or those of the system.
	CertFile    string        // Client certificate, PEM: QUORUMLOCK_CERT_FILE.
	CertKeyFile string        // Its key, PEM: QUORUMLOCK_CERT_KEY_FILE, or in the file of the certificate.
	Timeout     time.Duration // Longest time for an answer, beside the wait for a lock: 3 s. A third of it to connect.
}

// Options are the options of one lock. The zero value is valid.
type Options struct {
	TTL    time.Duration // Duration of the lease unless it is renewed, in whole milliseconds: 30 s.
	Wait   time.Duration // Longest wait for a held lock: none.
	Keep   time.Duration // Nobody gets the lock for this time after its release: none. The service limits it.
	Shared bool          // Other clients may share the lock, of one name; a client that does not holds it alone.
	Slots  int           // Number of clients, 1 to 64, that may hold the lock, of one name: one. All give the same.
	Owner  string        // Label that is shown to other clients: the name of the host.
	Margin time.Duration // Time between the report of a loss and the end of the lease: a sixth of TTL.
}

// HeldError means that another client holds the lock, or that it is kept after its release.
type HeldError struct {
	Owner     string        // Label of the holder, or "".
	Remaining time.Duration // Remaining time, or 0 if it is unknown.
	Kept      bool          // The holder has released the lock, and nobody gets it for the remaining time.
	Names     []string      // The name, or the held ones of several; the other fields are those of the first.
	own       bool          // This client holds it.
}

// UnavailableError means that no replica with a majority of the masters answered in time.
type UnavailableError struct{ Err error } // Err is the last cause.

// RefusedError means that the service, or the client itself, rejects the request.
type RefusedError struct {
	Status int    // HTTP status, or 0 if the client rejects the request.
	Type   string // Type of the problem document, such as "/problems/forbidden", or "".
	Detail string // Explanation, in one line.
}

// LeaseLostError means that the lease ended while the client held it.
type LeaseLostError struct{ Reason string }

func (e *HeldError) Error() string {
	name, text := "the lock", "is held by another client"
	if len(e.Names) > 0 {
		name = e.Names[0]
	}
	if e.Kept {
		text = "was released and is kept"
	} else if e.Owner != "" {
		text = "is held by " + e.Owner
	}
	text = fmt.Sprintf("quorumlock: %s %s for another %d ms", name, text, e.Remaining.Milliseconds())
	if len(e.Names) > 1 {
		text += "; also held: " + strings.Join(e.Names[1:], ", ")
	}
	if e.own {
		text += "; this process holds it itself: locks are not re-entrant"
	}
	return text
}
func (e *UnavailableError) Error() string { return "quorumlock: unavailable: " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }
func (e *LeaseLostError) Error() string   { return "quorumlock: lease lost: " + e.Reason }
func (e *RefusedError) Error() string {
	if e.Status == 0 {
		return "quorumlock: " + e.Detail
	}
	return fmt.Sprintf("quorumlock: refused: status %d, %s", e.Status, e.Detail)
}

// Client acquires locks. It may be used by several goroutines.
type Client struct {
	urls      []string
	key       atomic.Pointer[string]
	keyFile   string // Or "" if the key is not from a file.
	timeout   time.Duration
	share     time.Duration // Time for an answer to an acquire, so that each replica can be tried within timeout.
	debug     bool
	transport *http.Transport
	last      atomic.Int64 // Index of the replica that answered last.
	locks     sync.Map     // Those that were acquired and neither lost nor released, by themselves.
}

// New returns a client. It connects to no replica yet. The error is a *RefusedError.
func New(config Config) (*Client, error) {
	c := &Client{timeout: config.Timeout, debug: os.Getenv("QUORUMLOCK_DEBUG") == "1"}
	if c.timeout == 0 {
		c.timeout = 3 * time.Second
	}
	if c.timeout < time.Millisecond {
		return nil, invalid("Timeout must be at least 1 ms")
	}
	for name, field := range map[string]*string{
		"QUORUMLOCK_KEY": &config.Key, "QUORUMLOCK_CA_FILE": &config.CAFile,
		"QUORUMLOCK_CERT_FILE": &config.CertFile, "QUORUMLOCK_CERT_KEY_FILE": &config.CertKeyFile,
	} {
		if *field == "" {
			*field = os.Getenv(name)
		}
	}
	if len(config.URLs) == 0 {
		config.URLs = strings.Split(os.Getenv("QUORUMLOCK_URL"), ",")
	}
	for _, base := range config.URLs {
		base = strings.TrimRight(strings.TrimSpace(base), "/")
		if base == "" {
			continue
		}
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
			strings.ContainsAny(base, "?#") {
			return nil, invalid("a base URL must be http://HOST or https://HOST, without user, query and fragment")
		}
		if strings.HasSuffix(u.Path, "/locks") {
			return nil, invalid("a base URL must not end in /locks: write that of the service, such as http://localhost:8080")
		}
		c.urls = append(c.urls, base)
	}
	if len(c.urls) == 0 {
		c.urls = []string{"http://localhost:8080"}
	}
	c.share = min(c.timeout, max(time.Second, c.timeout/time.Duration(len(c.urls))))

	if config.Key == "" {
		c.keyFile = os.Getenv("QUORUMLOCK_KEY_FILE")
	}
	if c.keyFile != "" {
		content, err := os.ReadFile(c.keyFile)
		if err != nil {
			return nil, invalid("QUORUMLOCK_KEY_FILE: %v", err)
		}
		if config.Key = strings.TrimSpace(string(content)); config.Key == "" {
			return nil, invalid("QUORUMLOCK_KEY_FILE: the file is empty")
		}
	}
	if !visible(config.Key) {
		return nil, invalid("the API key must be visible ASCII")
	}
	c.key.Store(&config.Key)
	security := &tls.Config{MinVersion: tls.VersionTLS12}
	if config.CAFile != "" {
		content, err := os.ReadFile(config.CAFile)
		if err != nil {
			return nil, invalid("CAFile: %v", err)
		}
		security.RootCAs = x509.NewCertPool()
		if !security.RootCAs.AppendCertsFromPEM(content) {
			return nil, invalid("CAFile: the file has no certificate")
		}
	}
	if config.CertFile != "" || config.CertKeyFile != "" {
		if config.CertKeyFile == "" {
			config.CertKeyFile = config.CertFile
		}
		pair, err := tls.LoadX509KeyPair(config.CertFile, config.CertKeyFile)
		if err != nil {
			return nil, invalid("CertFile, CertKeyFile: %v", err)
		}
		security.Certificates = []tls.Certificate{pair}
	}
	// Not a clone of http.DefaultTransport, which a program may have replaced by one of another type.
	c.transport = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: c.timeout / 3, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:    c.timeout / 3,
		TLSClientConfig:        security,
		ForceAttemptHTTP2:      true,
		IdleConnTimeout:        60 * time.Second,
		MaxIdleConnsPerHost:    16,
		MaxResponseHeaderBytes: maxAnswer,
		DisableCompression:     true,
	}
	return c, nil
}

// CloseIdleConnections closes connections that no request uses. Otherwise they are closed after a minute.
func (c *Client) CloseIdleConnections() { c.transport.CloseIdleConnections() }

// Acquire acquires the lock of a name and keeps its lease renewed until [Lock.Release]. The name has
// up to 512 bytes of UTF-8 and may contain slashes. The error is a *HeldError, an *UnavailableError,
// a *RefusedError, or the error of ctx.
//
// If Acquire fails, nothing stays locked: it releases what the service may have granted, which takes
// up to Config.Timeout longer if no replica answers, even if ctx has ended.
func (c *Client) Acquire(ctx context.Context, name string, options Options) (*Lock, error) {
	return c.AcquireAll(ctx, []string{name}, options)
}

// AcquireAll acquires the locks of up to 32 names in one lease, all or none, as [Client.Acquire] does
// for one. The lease is lost if it loses one of them.
func (c *Client) AcquireAll(ctx context.Context, names []string, options Options) (*Lock, error) {
	paths, err := pathsOf(names)
	if err != nil {
		return nil, err
	}
	if options.TTL == 0 {
		options.TTL = 30 * time.Second
	}
	ttl, margin := options.TTL.Truncate(time.Millisecond), options.Margin
	if margin == 0 {
		margin = ttl / 6
	}
	switch {
	case ttl <= 0:
		return nil, invalid("TTL must be at least 1 ms; write 30 * time.Second")
	case options.Wait < 0:
		return nil, invalid("Wait must not be negative")
	case options.Keep < 0:
		return nil, invalid("Keep must not be negative")
	case margin < 0:
		return nil, invalid("Margin must not be negative")
	case margin >= ttl:
		return nil, invalid("Margin (%d ms) must be less than TTL (%d ms)", margin.Milliseconds(), ttl.Milliseconds())
	case options.Slots < 0 || options.Slots > 64:
		return nil, invalid("Slots must be a whole number from 1 to 64, not %d", options.Slots)
	case options.Shared && options.Slots != 0:
		return nil, invalid("Slots is not allowed with Shared")
	}
	if options.Owner == "" {
		options.Owner, _ = os.Hostname()
	}
	acquire := paths.target("", "ttlMs="+millis(ttl))
	if options.Owner != "" {
		acquire += "&owner=" + escape(options.Owner)
	}
	if options.Shared {
		acquire += "&mode=shared"
	}
	if options.Slots != 0 {
		acquire += "&slots=" + strconv.Itoa(options.Slots)
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, fmt.Errorf("quorumlock: no secure random source: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	l := &Lock{client: c, names: append([]string(nil), names...), paths: paths, token: hex.EncodeToString(random), ttl: ttl, margin: margin, keep: options.Keep}
	t := c.tries()
	wait := min(options.Wait, 1<<60) // the limit prevents an overflow
	start, left := time.Now(), wait
	unknown := false // A try may have had an effect.
	for {
		// A minute is enough for each try: the service limits waits as well, and a dead connection shows up.
		asked := max(min(left, time.Minute), 0).Truncate(time.Millisecond)
		a := c.send(ctx, asked+c.share, t.url, http.MethodPost, acquire+"&waitMs="+millis(asked), l.token)
		left = wait - elapsed(start)
		unknown = unknown || a.unclear()
		lease, granted := a.lease(l.token, ttl)

		var failure error
		final, move := false, false
		switch {
		case ctx.Err() != nil:
			failure, final = ctx.Err(), true
		case granted && !a.grants(names):
			failure, final = &RefusedError{Status: a.status, Detail: otherName}, true
		case granted && lease.left() > margin:
			l.lease, l.ends, l.fencingToken, l.slot = lease, lease, a.FencingToken, a.Slot
			l.start(ctx, t.url)
			return l, nil
		case granted:
			failure = &UnavailableError{errors.New("the lease was too short")}
		case a.held():
			failure, final = c.heldError(a, names), left <= 0
		case a.otherSlots():
			failure, final = a.refusedError(), left <= 0
		case a.status == 0, a.status == 500, a.status >= 502 && a.status <= 504:
			failure, move = &UnavailableError{a.err}, true
		case a.status == http.StatusRequestTimeout:
			failure = &UnavailableError{a.err}
		default:
			failure = a.refusedError()
			move = a.status == http.StatusTooManyRequests // the limits are those of each replica
			final = !move
		}
		if !final {
			pause := t.next(a, move)
			if a.held() || a.otherSlots() {
				pause = min(pause, left)
			}
			if pause > left+c.timeout {
				final = true
			} else if sleep(ctx, pause); ctx.Err() != nil {
				failure, final = ctx.Err(), true
			}
		}
		if final {
			if unknown {
				c.abandon(ctx, t.url, paths.target(""), l.token)
			}
			return nil, failure
		}
		left = wait - elapsed(start)
	}
}

// abandon releases what an acquire may have been granted.
func (c *Client) abandon(ctx context.Context, first int, path, token string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.timeout)
	defer cancel()
	for i := range c.urls {
		a := c.send(ctx, c.share, (first+i)%len(c.urls), http.MethodDelete, path, token)
		if a.status == http.StatusNoContent || a.status == http.StatusNotFound {
			return
		}
	}
}

// Lock is an acquired lock. It may be used by several goroutines.
type Lock struct {
	client      *Client
	names       []string
	paths       paths
	token       string
	ttl, margin time.Duration
	keep        time.Duration
	slot        *int // Or nil if the lock is no semaphore.
	ctx         context.Context
	cancel      context.CancelCauseFunc
	stop        context.CancelFunc // Ends renew and watch.
	running     sync.WaitGroup
	release     sync.Once

	mu           sync.Mutex
	lease        deadline
	ends         deadline // Later than lease if an extension without an answer may have had an effect.
	fencingToken int64
	cause        error // Why the last extension failed.
	released     bool
	lost         *LeaseLostError
	gone         bool          // The service no longer has the lease.
	refused      *RefusedError // The answer to the release.
}

// start renews the lease and reports its loss, until it is lost or released.
func (l *Lock) start(ctx context.Context, url int) {
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.stop = stop
	l.client.locks.Store(l, nil)
	l.running.Add(2)
	go l.renew(background, url)
	go l.watch(background)
}

// Context returns a context that is derived from the one of Acquire. It is also cancelled when the
// lock is released, and when the lease is lost: context.Cause then returns a *LeaseLostError. If the
// context of Acquire ends, the lease is still renewed until Release, so that the work can be ended;
// Held and Release then report a loss.
func (l *Lock) Context() context.Context { return l.ctx }

// String describes the lock without its token.
func (l *Lock) String() string {
	state := "not held"
	if l.Held() {
		state = "held"
	}
	return fmt.Sprintf("Lease of %s, fencing token %d, %s", strings.Join(l.names, ", "), l.FencingToken(), state)
}

// Token returns the secret that proves the ownership of the lease.
func (l *Lock) Token() string { return l.token }

// FencingToken returns a number that is larger than those of all earlier leases of the lock, at most
// 2^53-1. An extension may, rarely, raise it.
func (l *Lock) FencingToken() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fencingToken
}

// Slot returns the slot of a semaphore, from 0, which no other lease has at the same time. The
// fencing tokens of a semaphore order only the holders of one slot. Other kinds of locks have no
// slot: ok is false.
func (l *Lock) Slot() (slot int, ok bool) {
	if l.slot == nil {
		return 0, false
	}
	return *l.slot, true
}

// Held reports whether the lock was neither released nor lost, by the clock at this moment.
func (l *Lock) Held() bool { return l.Remaining() > 0 }

// Remaining returns the time until the lease counts as lost unless it is renewed: the time until it
// ends, minus the margin. It is 0 if the lock is not held.
func (l *Lock) Remaining() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.remaining()
}

// remaining needs l.mu. It ends the lease if its time is over, so that it does not come back if the clock is set.
func (l *Lock) remaining() time.Duration {
	if l.released || l.lost != nil {
		return 0
	}
	left := l.lease.left() - l.margin
	if left <= 0 {
		reason := "it was not extended in time"
		if l.cause != nil {
			reason += ": " + l.cause.Error()
		}
		l.lose(reason)
	}
	return max(left, 0)
}

// lose needs l.mu and a lease that was neither released nor lost.
func (l *Lock) lose(reason string) {
	l.lost = &LeaseLostError{reason}
	l.client.locks.Delete(l)
	l.cancel(l.lost)
	l.stop()
}

// watch ends the lease in time, whatever renew does. It reads the clock at least each second, because
// timers may not run while the machine is suspended.
func (l *Lock) watch(ctx context.Context) {
	defer l.running.Done()
	for left := l.Remaining(); left > 0; left = l.Remaining() {
		sleep(ctx, min(left, time.Second))
	}
}

// renew extends the lease until it is lost or released.
func (l *Lock) renew(ctx context.Context, url int) {
	defer l.running.Done()
	target := l.paths.target("/extend", "ttlMs="+millis(l.ttl))
	t := tries{client: l.client, url: url}
	early := l.early()
	for {
		left := l.Remaining()
		if left <= 0 {
			return
		}
		if due := left - early; due > 0 {
			sleep(ctx, min(due, time.Second)) // not longer, as in watch
			continue
		}
		a := l.client.send(ctx, l.client.limit(left), t.url, http.MethodPut, target, l.token)
		if l.apply(a) {
			t = tries{client: l.client, url: t.url}
			early = l.early()
			sleep(ctx, l.Remaining()/10) // limits the rate even if the service grants little time
		} else if a.Type == "/problems/extensions-exhausted" {
			return // no try can succeed: watch reports the loss
		} else if left := l.Remaining(); left > 0 {
			sleep(ctx, min(t.next(a, true), left/3))
		}
	}
}

// early returns how long before the loss the next extension is due.
func (l *Lock) early() time.Duration {
	return max(l.ttl/3*2+jitter(l.ttl/10)-l.margin, l.Remaining()/2)
}

// apply applies the answer to an extension, unless the lease was lost or released meanwhile. It
// reports whether the lease was extended.
func (l *Lock) apply(a answer) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.sent {
		l.ends = deadline{time.Now(), l.ttl}
	}
	if l.remaining() <= 0 {
		return false
	}
	if lease, ok := a.lease(l.token, l.ttl); ok {
		l.lease, l.ends, l.fencingToken, l.cause = lease, lease, max(l.fencingToken, a.FencingToken), nil
		return true
	}
	switch a.status {
	case http.StatusNotFound, http.StatusConflict:
		l.gone = true
		l.lose("the service did not extend it: " + a.err.Error())
	default:
		l.cause = a.err
	}
	return false
}

// Release ends the renewal and releases the lock. It works after the end of the context of Acquire,
// and tries until the lease has ended by itself. The error is a *LeaseLostError if the lease was lost
// before the release, a *RefusedError if the service rejects the release, as it does if Keep is too
// long (the TTL then ends the lease), else nil. A lost lease is released in the background, for at
// most Config.Timeout. Further calls wait for the first one and return the same error.
func (l *Lock) Release() error {
	l.release.Do(l.end)
	switch { // not changed after end
	case l.lost != nil:
		return l.lost
	case l.refused != nil:
		return l.refused
	}
	return nil
}

func (l *Lock) end() {
	l.mu.Lock()
	l.remaining() // marks the lease as lost if its time is over
	l.released = true
	l.mu.Unlock()
	l.client.locks.Delete(l)
	l.cancel(nil)
	l.stop()
	l.running.Wait() // no extension is in progress from here on
	switch {
	case l.gone:
	case l.lost != nil: // the caller does not wait
		l.ends = deadline{time.Now(), min(l.ends.left(), l.client.timeout)}
		go l.delete()
	default:
		l.delete()
	}
}

// delete releases the lock. It tries until the lease has ended by itself.
func (l *Lock) delete() {
	t, ctx, unknown := l.client.tries(), context.WithoutCancel(l.ctx), false
	target := l.paths.target("")
	if l.keep > 0 && l.lost == nil {
		target = l.paths.target("", "keepMs="+millis(l.keep))
	}
	for {
		a := l.client.send(ctx, l.client.limit(l.ends.left()), t.url, http.MethodDelete, target, l.token)
		switch a.status {
		case http.StatusNotFound, http.StatusConflict:
			if l.lost == nil && !unknown { // no earlier try released it
				l.lost = &LeaseLostError{"it was over at its release: " + a.err.Error()}
			}
			return
		case http.StatusBadRequest:
			if l.lost == nil {
				l.refused = a.refusedError()
			}
			return
		case http.StatusNoContent:
			return
		}
		unknown = unknown || a.unclear()
		sleep(ctx, min(t.next(a, true), l.ends.left()/3))
		if l.ends.left() <= 0 {
			return
		}
	}
}

// limit returns the longest time for an answer of an extension or a release.
func (c *Client) limit(left time.Duration) time.Duration {
	return min(max(left/3, 250*time.Millisecond), c.timeout)
}

// deadline is a duration after a moment.
type deadline struct {
	from  time.Time
	after time.Duration
}

func (d deadline) left() time.Duration { return d.after - elapsed(d.from) }

// elapsed returns the time since t: the longer one by the monotonic clock, which may stop while the
// machine is suspended, and by the wall clock.
func elapsed(t time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(t), now.Round(0).Sub(t.Round(0)))
}

// tries chooses the replica for each try of a call, and the pause before it.
type tries struct {
	client             *Client
	url, tried, pauses int
}

func (c *Client) tries() tries { return tries{client: c, url: int(c.last.Load())} }

// next returns the pause before the next try. With move, that goes to the next replica, without a
// pause if the replica was not tried since the last one.
func (t *tries) next(a answer, move bool) time.Duration {
	t.tried++
	if move {
		if t.url = (t.url + 1) % len(t.client.urls); t.tried < len(t.client.urls) {
			return 0
		}
	}
	t.tried = 0
	t.pauses = min(t.pauses+1, 5)
	if a.retryAfter > 0 && a.status != http.StatusLocked {
		return a.retryAfter
	}
	return jitter(min(100*time.Millisecond<<(t.pauses-1), time.Second))
}

// answer is an answer of the service. The status is 0 if none was complete.
type answer struct {
	status     int
	retryAfter time.Duration
	at         time.Time // The time before the request was sent.
	sent       bool      // The request may have reached a replica.
	json       bool      // The answer has a JSON object.
	problem    bool      // The answer is a problem document of the service.
	err        error     // Describes an answer that is no success.
	// Fields of leases and problem documents.
	Token, Type, Detail, Owner, Resource             string
	FencingToken, ValidityMs, ElapsedMs, RemainingMs int64
	Kept                                             bool
	Slot                                             *int // Only of a lease of a semaphore, after its acquire.
	// The names of a lease or a problem document about several. Their fencing tokens are equal.
	Leases []struct {
		Name         string
		FencingToken int64
	}
	Held []struct {
		Name, Owner string
		RemainingMs int64
		Kept        bool
	}
}

// unclear reports whether the request may have had an effect, although there is no success.
func (a *answer) unclear() bool {
	return a.sent && !(a.problem && a.status >= 400 && a.status < 500)
}

// held reports whether another client holds the lock, or it is kept.
func (a *answer) held() bool { return a.status == http.StatusLocked && a.Type == "/problems/locked" }

// otherSlots reports whether clients hold the lock with another number of slots.
func (a *answer) otherSlots() bool {
	return a.status == http.StatusConflict && a.Type == "/problems/other-slots"
}

func (a *answer) refusedError() *RefusedError {
	return &RefusedError{a.status, clean(a.Type), clean(a.Detail)}
}

// heldError describes a 423 for a lock of these names.
func (c *Client) heldError(a answer, names []string) *HeldError {
	held := &HeldError{Owner: clean(a.Owner), Remaining: toDuration(a.RemainingMs), Kept: a.Kept}
	if len(a.Held) > 0 {
		first := a.Held[0]
		held = &HeldError{Owner: clean(first.Owner), Remaining: toDuration(first.RemainingMs), Kept: first.Kept}
		names = nil
		for _, one := range a.Held {
			names = append(names, one.Name)
		}
	}
	c.locks.Range(func(lock, _ any) bool {
		l := lock.(*Lock)
		held.own = held.own || slices.Contains(l.names, names[0]) && l.slot == nil && l.Held()
		return true
	})
	for _, name := range names {
		held.Names = append(held.Names, clean(name))
	}
	return held
}

const (
	maxAnswer = 64 << 10 // bytes
	otherName = "the lock of another name was granted: write the base URL of the service, and let proxies keep the path"
)

// send sends a request to a replica, and waits for the whole answer for at most limit. It sends the
// request again after a 401 if the key file has another key now.
func (c *Client) send(ctx context.Context, limit time.Duration, replica int, method, target, token string) answer {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		key := *c.key.Load()
		a := c.try(ctx, replica, method, target, token, key)
		if a.status != http.StatusUnauthorized || !c.renewKey(key) {
			return a
		}
	}
}

// renewKey reads the key file again. It reports whether the file has another key than the one that was used.
func (c *Client) renewKey(used string) bool {
	content, err := os.ReadFile(c.keyFile)
	key := strings.TrimSpace(string(content))
	if err != nil || key == "" || key == used || !visible(key) {
		return false
	}
	c.key.Store(&key)
	return true
}

func visible(key string) bool {
	return strings.IndexFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// try sends a request once.
func (c *Client) try(ctx context.Context, replica int, method, target, token, key string) (a answer) {
	path, _, _ := strings.Cut(target, "?")
	a.at = time.Now()
	if c.debug {
		defer func() {
			fmt.Fprintf(os.Stderr, "quorumlock: %s %s %d %d ms\n", method, path, a.status, elapsed(a.at).Milliseconds())
		}()
	}
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	request, err := http.NewRequestWithContext(ctx, method, c.urls[replica]+target, nil)
	if err != nil {
		a.err = describe(err)
		return a
	}
	request.Header.Set("Lock-Token", token)
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	var body []byte
	response, err := c.transport.RoundTrip(request) // follows no redirects
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
		response.Body.Close()
	}
	a.sent = connected.Load()
	if err != nil {
		c.transport.CloseIdleConnections() // they may be dead, too
		a.err = describe(err)
		return a
	}
	c.last.Store(int64(replica))
	a.status = response.StatusCode
	if seconds, err := strconv.ParseInt(response.Header.Get("Retry-After"), 10, 32); err == nil {
		a.retryAfter = time.Duration(seconds) * time.Second
	}
	a.json = len(body) <= maxAnswer && json.Unmarshal(body, &a) == nil
	if a.json && len(a.Leases) > 0 {
		a.FencingToken = a.Leases[0].FencingToken
	}
	if a.problem = a.json && strings.HasPrefix(a.Type, "/problems/"); !a.problem {
		a.Type, a.Detail = "", "an unexpected answer"
	}
	a.err = fmt.Errorf("status %d, %s", a.status, clean(a.Detail))
	return a
}

// lease returns the deadline of the lease in the answer, if there is one with the token. Wrong times
// in an answer never make the deadline later than the duration of the request and a whole TTL.
func (a *answer) lease(token string, ttl time.Duration) (deadline, bool) {
	granted := (a.status == http.StatusOK || a.status == http.StatusCreated) && a.json && a.Token == token &&
		a.ValidityMs > 0 && a.ElapsedMs >= 0 && a.FencingToken > 0
	return deadline{a.at, min(toDuration(a.ElapsedMs), elapsed(a.at)) + min(toDuration(a.ValidityMs), ttl)}, granted
}

// grants reports whether a lease has these names. A wrong base URL, or a proxy, changes the path.
func (a *answer) grants(names []string) bool {
	granted := []string{a.Resource}
	if len(a.Leases) > 0 {
		granted = nil
		for _, one := range a.Leases {
			granted = append(granted, one.Name)
		}
	}
	return len(granted) == len(names) && !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains(granted, name)
	})
}

// cause is an error with a message in one line.
type cause struct {
	error // The whole error.
	line  string
}

func (c cause) Error() string { return c.line }
func (c cause) Unwrap() error { return c.error }

// describe adds a line to an error. Errors of net/http may quote the answer, so only those are shown
// that do not.
func describe(err error) error {
	var connection *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return cause{err, "no answer in time"}
	case errors.As(err, &connection), errors.As(err, &certificate), errors.Is(err, http.ErrSchemeMismatch):
		return cause{err, clean(err.Error())}
	}
	return cause{err, "no complete answer"}
}

// clean removes control characters, and limits the length.
func clean(text string) string {
	runes := 0
	return strings.Map(func(r rune) rune {
		if runes++; runes > 500 || unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			return -1
		}
		return r
	}, text)
}

func invalid(format string, args ...any) error {
	return &RefusedError{Detail: clean(fmt.Sprintf(format, args...))}
}

// paths has the path of a lock, or that of several and their names for the query.
type paths struct {
	lock  string
	names []string
}

func (p paths) target(action string, parameters ...string) string {
	if parameters = append(p.names[:len(p.names):len(p.names)], parameters...); len(parameters) == 0 {
		return p.lock + action
	}
	return p.lock + action + "?" + strings.Join(parameters, "&")
}

// pathsOf returns the paths of the names. Names that lead to another path are rejected.
func pathsOf(names []string) (paths, error) {
	var query []string
	for _, name := range names {
		for _, segment := range strings.Split(name, "/") {
			if segment == "" || segment == "." || segment == ".." {
				return paths{}, invalid("a name must not be empty, and must not have an empty segment or the segments . and ..")
			}
		}
		if strings.HasSuffix("/"+name, "/extend") || strings.HasSuffix("/"+name, "/fence") {
			return paths{}, invalid("the last segment of a name must not be extend or fence")
		}
		query = append(query, "names="+escape(name))
	}
	switch len(names) {
	case 0:
		return paths{}, invalid("there must be a name")
	case 1:
		return paths{"/locks/" + escape(names[0]), nil}, nil
	}
	return paths{"/locks", query}, nil
}

// escape percent-encodes for paths and queries. Those of net/url keep more characters, or encode spaces as "+".
func escape(text string) string {
	var escaped []byte
	for _, b := range []byte(text) {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("-._~/", b) >= 0 {
			escaped = append(escaped, b)
		} else {
			escaped = fmt.Appendf(escaped, "%%%02X", b)
		}
	}
	return string(escaped)
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// toDuration limits milliseconds of an answer to a range without overflow.
func toDuration(ms int64) time.Duration {
	return time.Duration(min(max(ms, 0), 1<<40)) * time.Millisecond
}

// jitter returns a random duration from 0 to longest.
func jitter(longest time.Duration) time.Duration {
	return time.Duration(mathrand.Int63n(int64(longest) + 1))
}

// sleep returns after a duration, or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
