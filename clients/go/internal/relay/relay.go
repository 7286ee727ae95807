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
	"sync"
	"testing"

	quorumlock "github.com/quorumlock/quorumlock/clients/go"
)

// Relay passes TCP connections on to the service that QUORUMLOCK_URL names.
type Relay struct {
	t        *testing.T
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
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
			replica, err := net.Dial("tcp", service.Host)
			if err != nil {
				client.Close()
				continue
			}
			r.mu.Lock()
			r.open = append(r.open, client, replica)
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

// KillAfterLine runs a test of this test binary as another process, which finds the name of a lock
// in QUORUMLOCK_TEST_HOLD, until it prints a line. Then it kills the process.
func KillAfterLine(t *testing.T, test, name string) {
	t.Helper()
	other := exec.Command(os.Args[0], "-test.run", "^"+test+"$")
	other.Env = append(os.Environ(), "QUORUMLOCK_TEST_HOLD="+name)
	output, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || line != "locked\n" {
		t.Errorf("the other process printed %q: %v", line, err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = other.Wait()
}
