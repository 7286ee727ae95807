// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	exclusive = `{"type":"EXCLUSIVE"}`
	shared    = `{"type":"SHARED"}`
	two       = `{"type":"SLOTS","slots":2}`
)

// say returns a call of a token on lock "l" with times in milliseconds. A lease lasts for 100 ms from its request.
func say(operation, token, kind string, sent, answered int, outcome string, fence int, more ...string) string {
	terms := fmt.Sprintf(`"names":["l"],"token":"%s","kind":%s`, token, kind)
	for _, field := range more {
		terms += "," + field
	}
	return fmt.Sprintf(`{"is":"call","call":{"operation":"%s","sent":%d,"answered":%d,"terms":{%s},`+
		`"result":{"outcome":"%s","fence":%d,"validity":100000000}}}`, operation, sent*1_000_000, answered*1_000_000, terms, outcome, fence)
}

func took(token string, sent, answered, fence int) string {
	return say("ACQUIRE", token, exclusive, sent, answered, "DONE", fence)
}

func extended(token string, sent, answered, fence int) string {
	return say("EXTEND", token, exclusive, sent, answered, "DONE", fence)
}

func released(token string, sent, answered int, outcome string, more ...string) string {
	return say("RELEASE", token, exclusive, sent, answered, outcome, 0, more...)
}

func TestModel(t *testing.T) {
	read := func(token string, sent, answered, fence int) string {
		return say("ACQUIRE", token, shared, sent, answered, "DONE", fence)
	}
	slot := func(token string, sent, answered, fence int) string {
		return say("ACQUIRE", token, two, sent, answered, "DONE", fence)
	}
	keep := `"keep":200000000`
	for _, test := range []struct {
		name  string
		legal bool
		calls []string
	}{
		{"taken after the end", true, []string{took("a", 0, 5, 1), took("b", 95, 105, 2)}},
		{"taken before the end", false, []string{took("a", 0, 5, 1), took("b", 80, 90, 2)}},
		{"taken during a release", true, []string{took("a", 0, 5, 1), released("a", 10, 30, "DONE"), took("b", 15, 20, 2)}},
		{"taken before a release", false, []string{took("a", 0, 5, 1), released("a", 30, 40, "DONE"), took("b", 15, 20, 2)}},
		{"a refused release ends nothing", false, []string{
			took("a", 0, 5, 1), released("a", 10, 12, "REJECTED"), took("b", 15, 20, 2)}},
		{"a release without an answer works later", true, []string{
			took("a", 0, 5, 1), released("a", 10, 12, "UNANSWERED"), extended("a", 20, 25, 1), took("b", 40, 45, 2)}},
		{"or never", true, []string{took("a", 0, 5, 1), released("a", 10, 12, "LEFT"), extended("a", 40, 45, 1)}},
		{"a late release of a token that is used again", true, []string{
			took("a", 0, 5, 1), released("a", 10, 12, "DONE"), took("a", 20, 25, 2), took("b", 40, 45, 3)}},
		{"leases without fences", true, []string{took("a", 0, 5, 0), extended("a", 50, 55, 0), took("b", 145, 155, 0)}},
		{"a release of another token", false, []string{
			took("a", 0, 5, 1), released("b", 10, 12, "DONE"), took("b", 15, 20, 2)}},
		{"extended in time", false, []string{took("a", 0, 5, 1), extended("a", 50, 55, 1), took("b", 110, 120, 2)}},
		{"extended late, but before others", true, []string{took("a", 0, 5, 1), extended("a", 150, 155, 1)}},
		{"revived", false, []string{
			took("a", 0, 5, 1), took("b", 110, 115, 2), released("b", 120, 125, "DONE"), extended("a", 130, 135, 2)}},
		{"extended without a lease", false, []string{extended("a", 0, 5, 1)}},
		{"extended after an acquire without an answer", true, []string{
			say("ACQUIRE", "a", exclusive, 0, 5, "UNANSWERED", 0), extended("a", 10, 15, 1)}},
		{"a smaller fence", false, []string{took("a", 0, 5, 2), took("b", 110, 120, 1)}},
		{"the same fence", false, []string{took("a", 0, 5, 2), took("b", 110, 120, 2)}},
		{"a smaller fence within a lease", false, []string{took("a", 0, 5, 2), extended("a", 10, 15, 1)}},
		{"kept", false, []string{
			took("a", 0, 5, 1), released("a", 10, 12, "DONE", keep), took("b", 150, 155, 2)}},
		{"kept since a release without an answer", false, []string{
			took("a", 0, 5, 1), released("a", 10, 12, "UNANSWERED", keep), released("a", 20, 25, "DONE", keep),
			took("b", 150, 155, 2)}},
		{"kept long enough", true, []string{
			took("a", 0, 5, 1), released("a", 10, 12, "DONE", keep), took("b", 205, 215, 2)}},
		{"a forced release", true, []string{
			took("a", 0, 5, 1), say("BREAK", "o", exclusive, 10, 20, "DONE", 0), took("b", 15, 25, 2)}},
		{"a forced release of nothing", false, []string{
			took("a", 0, 5, 1), say("BREAK", "o", exclusive, 10, 20, "LOST", 0), took("b", 15, 25, 2)}},
		{"extended after a forced release", false, []string{
			took("a", 0, 5, 1), say("BREAK", "o", exclusive, 10, 20, "DONE", 0), extended("a", 25, 30, 1)}},
		{"extended, of another kind", false, []string{read("a", 0, 5, 1), read("b", 6, 9, 2), took("a", 20, 25, 3)}},
		{"a reader extended late", true, []string{read("a", 0, 5, 1), say("EXTEND", "a", shared, 150, 155, "DONE", 1)}},
		{"a reader extended after its release", false, []string{
			read("a", 0, 5, 1), released("a", 10, 15, "DONE"), say("EXTEND", "a", shared, 20, 25, "DONE", 1)}},
		{"a reader extended with a smaller fence", false, []string{
			read("a", 0, 5, 5), read("b", 110, 115, 6), say("EXTEND", "a", shared, 130, 135, "DONE", 2)}},
		{"a slot extended late, while others have all", false, []string{
			slot("a", 0, 5, 1), slot("b", 110, 115, 2), slot("c", 120, 125, 3),
			say("EXTEND", "a", two, 130, 135, "DONE", 1)}},
		{"readers together", true, []string{read("a", 0, 5, 1), read("b", 6, 9, 1)}},
		{"a reader beside a writer", false, []string{took("a", 0, 5, 1), read("b", 6, 9, 2)}},
		{"a writer beside a reader", false, []string{read("a", 0, 5, 1), took("b", 6, 9, 2)}},
		{"a reader with a smaller fence than a reader", true, []string{read("a", 0, 5, 5), read("b", 6, 9, 4)}},
		{"a reader with a smaller fence than a writer", false, []string{took("a", 0, 5, 5), read("b", 110, 120, 4)}},
		{"two slots", true, []string{slot("a", 0, 5, 1), slot("b", 6, 9, 2), slot("c", 90, 104, 3)}},
		{"three of two slots", false, []string{slot("a", 0, 5, 1), slot("b", 6, 9, 2), slot("c", 80, 90, 3)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := legal(t, test.calls...); got != test.legal {
				t.Errorf("legal: %v, want %v", got, test.legal)
			}
		})
	}
}

// A forced release of one lock of a lease ends the lease on all its locks.
func TestForcedReleaseOfOneOfSeveralLocks(t *testing.T) {
	both := strings.Replace(took("a", 0, 5, 1), `["l"]`, `["k","l"]`, 1)
	force := strings.Replace(say("BREAK", "o", exclusive, 10, 12, "DONE", 0), `["l"]`, `["k"]`, 1)
	if !legal(t, both, force, took("b", 15, 20, 2)) {
		t.Error("the lease still holds the other lock")
	}
	if legal(t, both, took("b", 15, 20, 2)) {
		t.Error("the lease does not hold the other lock")
	}
}

// The verdict is the same with and without the cuts.
func TestCut(t *testing.T) {
	calls := []string{took("a", 0, 5, 1), took("b", 110, 120, 2), took("c", 300, 310, 2)}
	if n := len(cut(byLock(parse(t, calls...))["l"])); n != 3 {
		t.Errorf("%d pieces", n)
	}
	if legal(t, calls...) {
		t.Error("a fencing token of an earlier piece is used again")
	}
	late := append(calls[:2:2], took("c", 300, 310, 3), extended("a", 400, 410, 3))
	if n := len(cut(byLock(parse(t, late...))["l"])); n != 1 {
		t.Errorf("%d pieces, although a token has calls in all", n)
	}
}

func TestIncompleteFiles(t *testing.T) {
	for _, text := range []string{
		"", took("a", 0, 5, 1) + "\n", took("a", 0, 5, 1) + "\n" + `{"is":"end","lines":2}` + "\n",
		`{"is":"end"}` + "\n" + took("a", 0, 5, 1) + "\n", "{\n" + `{"is":"end","lines":1}` + "\n",
	} {
		if _, err := readLines(strings.NewReader(text)); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

func parse(t *testing.T, calls ...string) []call {
	t.Helper()
	text := strings.Join(calls, "\n") + fmt.Sprintf("\n{\"is\":\"end\",\"lines\":%d}\n", len(calls))
	read, err := readLines(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func legal(t *testing.T, calls ...string) bool {
	t.Helper()
	all := pieces(byLock(parse(t, calls...)))
	search(all, time.Minute)
	for _, p := range all {
		if p.verdict != porcupine.Ok {
			return false
		}
	}
	return true
}
