module github.com/quorumlock/quorumlock/clients/go/gocron

go 1.24

require (
	github.com/go-co-op/gocron/v2 v2.21.2
	github.com/google/uuid v1.6.0
	github.com/jonboulle/clockwork v0.5.0
	github.com/quorumlock/quorumlock/clients/go v0.1.0
)

require github.com/robfig/cron/v3 v3.0.1 // indirect

replace github.com/quorumlock/quorumlock/clients/go => ../
