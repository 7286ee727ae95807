// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	// The clocks of the servers are assumed to be at most this wrong, of the time and in addition (docs/guarantees.md).
	driftRate = 0.01
	driftTime = 2_000_000

	// A session asks for its next extension at most this long before its event arrives.
	longestAttempt = 2_000_000_000
)

// token is what is known about the calls of one token.
type token struct {
	until     int64 // when its last lease ends
	extended  int64 // when its last extension was answered
	uncertain int64 // when the first acquire was sent whose answer did not arrive
	released  int64 // when the first release was sent
	acquired  int64 // when the last acquire was sent
	kept      bool  // a release that keeps the lock taken was confirmed
	mixed     bool  // a lease may have ended otherwise than by the same release
	keep      int64
}

// byLock converts calls into operations of each lock, in the order of their calls.
func byLock(calls []call) map[string][]*operation {
	tokens, company := survey(calls)
	locks := map[string][]*operation{}
	for i := range calls {
		c := &calls[i]
		t := tokens[c.Terms.Token]
		op := convert(c, t)
		if op == nil {
			continue
		}
		operations := []*operation{op}
		if c.Operation == "RELEASE" && t.acquired > t.released {
			operations = append(operations, late(op, t))
		}
		names := c.Terms.Names
		if op.action == force {
			names = company[names[0]]
		}
		for _, name := range names {
			locks[name] = append(locks[name], operations...)
		}
	}
	for _, operations := range locks {
		slices.SortStableFunc(operations, func(one, other *operation) int { return cmp.Compare(one.call, other.call) })
	}
	return locks
}

// late returns a repetition of a release, which may end a later lease of its token: a client that uses a token for another
// lease is not protected from that.
func late(release *operation, t *token) *operation {
	op := *release
	op.maybe, op.keep, op.last = true, 0, max(op.last, t.until)
	return &op
}

// survey collects what is known about tokens, and which locks were ever taken together with a lock.
func survey(calls []call) (map[string]*token, map[string][]string) {
	tokens := map[string]*token{}
	company := map[string][]string{}
	for i := range calls {
		c := &calls[i]
		t := tokens[c.Terms.Token]
		if t == nil {
			t = &token{uncertain: math.MaxInt64, released: math.MaxInt64, keep: -1}
			tokens[c.Terms.Token] = t
		}
		if c.hasLease() {
			t.until = max(t.until, c.until())
			t.extended = max(t.extended, c.Answered)
		} else if c.unknown() && (c.Operation == "ACQUIRE" || c.Operation == "SESSION") {
			t.uncertain = min(t.uncertain, c.Sent)
		}
		if c.Operation == "ACQUIRE" || c.Operation == "SESSION" {
			t.acquired = max(t.acquired, c.Sent)
		}
		if c.ends() {
			t.released = min(t.released, c.Sent)
			t.mixed = t.mixed || c.Operation != "RELEASE" || t.keep >= 0 && t.keep != c.Terms.Keep
			t.keep = c.Terms.Keep
			t.kept = t.kept || c.Operation == "RELEASE" && c.Result.Outcome == "DONE" && c.Terms.Keep > 0
		}
		for _, name := range c.Terms.Names {
			for _, other := range c.Terms.Names {
				if !slices.Contains(company[name], other) {
					company[name] = append(company[name], other)
				}
			}
		}
	}
	return tokens, company
}

// convert returns the effect of a call, or nil if it has none that matters to others.
func convert(c *call, t *token) *operation {
	op := &operation{
		holder: holder{token: c.Terms.Token, kind: c.Terms.Kind, names: " " + strings.Join(c.Terms.Names, " ") + " "},
		names:  c.Terms.Names,
		fence:  c.Result.Fence,
		call:   c.Sent,
		last:   c.Answered,
	}
	switch {
	case c.hasLease():
		op.holder.until, op.holder.last = c.until(), t.extended
		op.action = leaseAction(c, t)
		if c.Operation == "SESSION_EXTENSION" {
			op.call = max(c.Sent, c.Sent+c.Result.Elapsed-longestAttempt)
		}
	case c.ends():
		op.action = end
		op.maybe = c.Operation != "RELEASE" || c.Result.Outcome != "DONE"
		if c.Operation == "RELEASE" && c.unknown() {
			op.last = max(c.Answered, t.until) // Later it finds no lease of its token.
		}
		if c.Operation == "RELEASE" && t.kept && !t.mixed {
			length := c.Terms.Keep - int64(driftRate*float64(c.Terms.Keep)) - driftTime
			op.keep = t.released + c.own(length)
		}
	case c.breaks():
		op.action = force
		op.maybe = c.Result.Outcome != "DONE"
	default:
		return nil
	}
	return op
}

// leaseAction says whether the lease can be new. An extension finds a new one after an acquire without an answer.
func leaseAction(c *call, t *token) action {
	if c.Operation == "ACQUIRE" || c.Operation == "SESSION" || t.uncertain < c.Answered {
		return take
	}
	return again
}

// cut divides the operations of a lock at times at which no call is open and no lease is left, and no token has calls on both
// sides. The search in a piece then needs only the largest fencing tokens of the pieces before.
func cut(operations []*operation) [][]*operation {
	lastOf := map[string]int64{}
	for _, op := range operations {
		lastOf[op.holder.token] = max(lastOf[op.holder.token], op.call)
	}
	var pieces [][]*operation
	begin := 0
	var busy int64 = math.MinInt64
	for i, op := range operations {
		if i > begin && op.call > busy {
			pieces = append(pieces, operations[begin:i])
			begin = i
		}
		busy = max(busy, op.last, op.holder.until, op.keep, lastOf[op.holder.token])
	}
	return append(pieces, operations[begin:])
}

// after returns the state behind a piece without leases that are left.
func (s state) after(piece []*operation) state {
	for _, op := range piece {
		if op.action < end {
			s.fence = max(s.fence, op.fence)
			if op.holder.kind.exclusive() {
				s.exclusives = max(s.exclusives, op.fence)
			}
		}
	}
	return state{fence: s.fence, exclusives: s.exclusives}
}
