// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// action is what an operation does to one lock.
type action int

const (
	take  action = iota // a new lease, or the one that the token has
	again               // the lease that the token has, with a later end
	end                 // the token gives its lease up
	force               // somebody ends the leases of others
)

// operation is the effect of a call on one lock, at some time from its call to its return.
type operation struct {
	action action
	holder holder // its lease after a take; else only token
	names  []string
	fence  int64 // 0 if the answer has none
	maybe  bool  // no effect is possible too
	keep   int64 // until when nobody may have the lock after the end; 0 if everybody may
	call   int64
	last   int64
}

// holder is a lease of one lock, or what keeps the lock taken after its release, which belongs to no token.
type holder struct {
	token string
	kind  kind
	until int64
	fence int64
	names string // of all locks of the lease, between spaces
	last  int64  // until when its token extends it, in the whole history
}

// state is a lock with its leases, in the order of their tokens. An ended lease that its token extends later stays until another
// one needs its place.
type state struct {
	now        int64 // the earliest time at which the last operation can have had its effect
	holders    []holder
	fence      int64 // the largest so far
	exclusives int64 // the largest of an exclusive lease
}

func (s state) equal(other state) bool {
	return s.now == other.now && s.fence == other.fence && s.exclusives == other.exclusives &&
		slices.Equal(s.holders, other.holders)
}

func (k kind) exclusive() bool { return k.Type == "EXCLUSIVE" }

// step returns the states that are possible after an operation. It takes effect as early as it can.
func (s state) step(op *operation) []state {
	s.now = max(s.now, op.call)
	if s.now > op.last {
		return nil
	}
	s.holders = slices.DeleteFunc(slices.Clone(s.holders), func(h holder) bool { return h.until <= s.now && h.last < s.now })
	switch op.action {
	case take, again:
		i := s.find(op.holder.token)
		if i >= 0 && s.holders[i].kind == op.holder.kind {
			return s.prolong(i, op)
		}
		if op.action == again {
			return nil
		}
		return s.take(op)
	case end:
		return s.without(op, func(h holder) bool { return h.token == op.holder.token })
	default:
		return s.without(op, func(h holder) bool {
			return slices.ContainsFunc(op.names, func(name string) bool { return strings.Contains(h.names, " "+name+" ") })
		})
	}
}

func (s state) find(token string) int {
	return slices.IndexFunc(s.holders, func(h holder) bool { return h.token == token })
}

// take adds a lease after those have ended that cannot hold the lock with it.
func (s state) take(op *operation) []state {
	taken := op.holder
	var together []holder
	var ends []int64
	for _, h := range s.holders {
		if taken.kind.exclusive() || h.kind != taken.kind {
			s.now = max(s.now, h.until)
		} else {
			together = append(together, h)
			ends = append(ends, h.until)
		}
	}
	if slots := taken.kind.Slots; slots > 0 && len(ends) >= slots {
		slices.Sort(ends)
		s.now = max(s.now, ends[len(ends)-slots])
	}
	smaller := s.exclusives
	if taken.kind.exclusive() {
		smaller = s.fence
	}
	if s.now > op.last || op.fence != 0 && op.fence <= smaller {
		return nil
	}
	s.holders = together
	return []state{s.with(taken, op.fence)}
}

// prolong is for a lease that its token has, which may have ended if nobody needed its place since.
func (s state) prolong(i int, op *operation) []state {
	old := s.holders[i]
	if op.fence != 0 && op.fence < old.fence {
		return nil
	}
	s.holders = slices.Delete(slices.Clone(s.holders), i, i+1)
	if !old.kind.exclusive() && old.until <= s.now {
		return s.take(op)
	}
	next := op.holder
	next.until = max(next.until, old.until)
	return []state{s.with(next, max(op.fence, old.fence))}
}

func (s state) with(h holder, fence int64) state {
	h.fence = fence
	s.fence = max(s.fence, fence)
	if h.kind.exclusive() {
		s.exclusives = max(s.exclusives, fence)
	}
	s.holders = append(slices.Clone(s.holders), h)
	slices.SortFunc(s.holders, func(one, other holder) int { return strings.Compare(one.token, other.token) })
	return s
}

func (s state) without(op *operation, ended func(holder) bool) []state {
	next := s
	next.holders = slices.DeleteFunc(slices.Clone(s.holders), ended)
	if op.keep > 0 && len(next.holders) < len(s.holders) {
		kept := op.holder
		kept.token, kept.until, kept.last = "kept after "+kept.token, op.keep, 0
		next = next.with(kept, 0)
	}
	if op.maybe {
		return []state{s, next}
	}
	return []state{next}
}

// model returns the model of one lock for porcupine.
func model(first state) porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{first} },
		Step: func(before, input, _ interface{}) []interface{} {
			var after []interface{}
			for _, next := range before.(state).step(input.(*operation)) {
				after = append(after, next)
			}
			return after
		},
		Equal:             func(one, other interface{}) bool { return one.(state).equal(other.(state)) },
		DescribeOperation: func(input, _ interface{}) string { return input.(*operation).String() },
		DescribeState:     func(s interface{}) string { return fmt.Sprintf("%+v", s) },
	}
	return nondeterministic.ToModel()
}

func (op *operation) String() string {
	names := [...]string{"take", "extend", "end", "force"}
	text := names[op.action]
	if op.maybe {
		text = "maybe " + text
	}
	if op.action == force {
		return text
	}
	text += " " + op.holder.token
	if op.keep > 0 {
		text += fmt.Sprintf(", kept until %d", op.keep)
	}
	if op.action < end {
		text += fmt.Sprintf(" %s until %d, fence %d", strings.ToLower(op.holder.kind.Type), op.holder.until, op.fence)
	}
	return text
}
