// SPDX-License-Identifier: Apache-2.0

// Package relay is for tests of a service that is away or restarts.
package relay

import (
	"bufio"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// Relay passes TCP connections on to the service that QUORUMLOCK_URL names.
type Relay struct {
	t        *testing.T
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
	hangs    bool
	hanging  int
}

// New returns a relay that accepts connections until the end of the test.
func New(t *testing.T) *Relay {
	r := &Relay{t: t}
	r.listen("127.0.0.1:0")
	t.Cleanup(r.Stop)
	return r
}

// Client returns a client of the service.
func (r *Relay) Client() *quorumlock.Client {
	client, err := quorumlock.New(quorumlock.Config{URLs: []string{"http://" + r.listener.Addr().String()}})
	if err != nil {
		r.t.Fatal(err)
	}
	return client
}

// Hang leaves the requests of new connections unanswered.
func (r *Relay) Hang() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hangs = true
}

// Hanging returns the number of connections that hang.
func (r *Relay) Hanging() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hanging
}

// Stop closes all connections, and refuses new ones.
func (r *Relay) Stop() {
	r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, connection := range r.open {
		connection.Close()
	}
}

// Restart accepts connections again, at the same address.
func (r *Relay) Restart() { r.listen(r.listener.Addr().String()) }

func (r *Relay) listen(address string) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		r.t.Fatal(err)
	}
	service, err := url.Parse(os.Getenv("QUORUMLOCK_URL"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.listener = listener
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			r.mu.Lock()
			r.open = append(r.open, client)
			hangs := r.hangs
			if hangs {
				r.hanging++
			}
			r.mu.Unlock()
			if hangs {
				continue
			}
			replica, err := net.Dial("tcp", service.Host)
			if err != nil {
				client.Close()
				continue
			}
			r.mu.Lock()
			r.open = append(r.open, replica)
			r.mu.Unlock()
			go pass(client, replica)
			go pass(replica, client)
		}
	}()
}

func pass(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	from.Close()
	to.Close()
}

// Program is another process of this test binary, which runs the same test.
type Program struct {
	t      *testing.T
	other  *exec.Cmd
	output *bufio.Reader
}

// Start starts another process, in which Held returns the name, until the end of the test. It returns
// when that process has printed "locked".
func Start(t *testing.T, name string) *Program {
	t.Helper()
	p := &Program{t: t, other: exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")}
	p.other.Env = append(os.Environ(), "QUORUMLOCK_TEST_HOLD="+name)
	output, err := p.other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	p.output = bufio.NewReader(output)
	p.Prints("locked")
	return p
}

// Held returns the name of the lock that this process is to hold, or "" in the process of the test.
func Held() string { return os.Getenv("QUORUMLOCK_TEST_HOLD") }

// Prints waits for the next line of the process, which must have this text.
func (p *Program) Prints(text string) {
	p.t.Helper()
	if line, err := p.output.ReadString('\n'); err != nil || !strings.Contains(line, text) {
		p.t.Errorf("the other process printed %q, not %q: %v", line, text, err)
	}
}

// Suspend stops the process, whose timers then do not run.
func (p *Program) Suspend() { p.signal(syscall.SIGSTOP) }

// Resume continues a suspended process.
func (p *Program) Resume() { p.signal(syscall.SIGCONT) }

// Kill kills the process. Further calls have no effect.
func (p *Program) Kill() {
	_ = p.other.Process.Kill()
	_ = p.other.Wait()
}

func (p *Program) signal(signal os.Signal) {
	if err := p.other.Process.Signal(signal); err != nil {
		p.t.Error(err)
	}
}
