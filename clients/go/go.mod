module github.com/quorumlock/quorumlock/clients/go

go 1.21
