module driver

go 1.21

require quorumlock v0.0.0

replace quorumlock => ../../../../clients/go
