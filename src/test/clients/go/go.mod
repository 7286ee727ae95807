module driver

go 1.21

require github.com/quorumlock/quorumlock/clients/go v0.1.0

replace github.com/quorumlock/quorumlock/clients/go => ../../../../clients/go
