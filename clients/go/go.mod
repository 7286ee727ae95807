module quorumlock

go 1.21
