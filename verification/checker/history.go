// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// line is one line of a history, see ../history.md.
type line struct {
	Is    string `json:"is"`
	Call  call   `json:"call"`
	Lines int    `json:"lines"`
}

// call is a call of a client and its answer. Times are in nanoseconds of one clock.
type call struct {
	Operation  string  `json:"operation"`
	Sent       int64   `json:"sent"`
	Answered   int64   `json:"answered"`
	ClockError float64 `json:"clockError"`
	Terms      terms   `json:"terms"`
	Result     result  `json:"result"`
}

type terms struct {
	Names []string `json:"names"`
	Token string   `json:"token"`
	Keep  int64    `json:"keep"`
	Kind  kind     `json:"kind"`
}

// kind says who may hold a lock together: nobody, all of a shared kind, or so many of a kind with slots.
type kind struct {
	Type  string `json:"type"`
	Slots int    `json:"slots"`
}

type result struct {
	Outcome  string `json:"outcome"`
	Fence    int64  `json:"fence"`
	Validity int64  `json:"validity"`
	Elapsed  int64  `json:"elapsed"`
}

// hasLease tells whether the answer is a promise to its client.
func (c *call) hasLease() bool {
	took := c.Result.Outcome == "DONE" || c.Result.Outcome == "REPLAYED"
	return took && c.Operation != "RELEASE" && c.Operation != "BREAK"
}

// until returns when the lease of the answer ends, by what its client was told.
func (c *call) until() int64 {
	return c.Sent + c.own(c.Result.Elapsed+c.Result.Validity)
}

// own converts a duration of the client's clock, which may be wrong.
func (c *call) own(duration int64) int64 {
	return int64(float64(duration) / (1 + c.ClockError))
}

// unknown tells whether the call may take effect after its answer, or after its client gave up.
func (c *call) unknown() bool {
	switch c.Result.Outcome {
	case "UNCONFIRMED", "UNANSWERED", "LEFT":
		return true
	}
	return false
}

// ends tells whether the call may end the lease of its token.
func (c *call) ends() bool {
	return c.Operation == "RELEASE" && c.Result.Outcome != "REJECTED" && c.Result.Outcome != "REFUSED"
}

// breaks tells whether a forced release may have ended the leases of its lock.
func (c *call) breaks() bool {
	return c.Operation == "BREAK" && (c.Result.Outcome == "DONE" || c.unknown())
}

// readHistory returns the calls of a complete file.
func readHistory(path string) ([]call, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	calls, err := readLines(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return calls, nil
}

func readLines(file io.Reader) ([]call, error) {
	var calls []call
	lines, ended := 0, false
	in := bufio.NewReaderSize(file, 1<<20)
	for {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			break
		} else if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if ended {
			return nil, errors.New("it goes on after its end")
		}
		var next line
		if err := json.Unmarshal(bytes.TrimSpace(text), &next); err != nil {
			return nil, fmt.Errorf("line %d: %w", lines+1, err)
		}
		switch next.Is {
		case "end":
			if ended = true; next.Lines != lines {
				return nil, fmt.Errorf("it has %d lines, %d were written", lines, next.Lines)
			}
		case "call":
			if relevant(&next.Call) {
				calls = append(calls, next.Call)
			}
			lines++
		default:
			lines++
		}
	}
	if !ended {
		return nil, errors.New("it has no end")
	}
	return calls, nil
}

// relevant leaves out calls that changed nothing and promise nothing.
func relevant(c *call) bool {
	return c.hasLease() || c.ends() || c.breaks() || c.unknown()
}
