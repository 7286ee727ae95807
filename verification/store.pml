/*
 * Locks as records of a consensus store, as docs/guarantees.md states them: every change is a compare-and-set of the version that
 * a replica has read, and a replica takes a place over when it has seen the same version for the duration of the lease. Writes
 * are late or lost, replicas start again, and clocks drift. Time and steps are those of redlock.pml.
 *
 * Each attempt has a token and a replica of its own. The store orders all writes, and gives each a number.
 *
 * S1  Two attempts never hold the lock at the same time.
 * S3  A later grant has a larger fencing token.
 * S4  Only the token of a lease ends it; with ANY_RELEASE, S1 breaks.
 *
 * Each of these definitions takes a rule or an assumption away, and the checker finds how a promise breaks without it:
 *   NO_VERSION       a takeover is written whatever the version is
 *   REVIVE           an extension is written whatever the version is
 *   COUNT_GOES_ON    a replica counts on when it sees another version of the same holder
 *   REUSED_VERSIONS  the versions of a record that was deleted begin again
 *   FENCE_OF_RECORD  the fencing token counts the leases of the record, and not the writes of the store
 *   ANY_RELEASE      a release deletes the record whatever the version is
 *   LATE_GRANT       a replica does not read its clock before it accepts a grant
 *   BEYOND_DRIFT     the clock of a replica is faster than the drift that is assumed
 */
#ifndef ATTEMPTS
#define ATTEMPTS 3             /* any number of them at the same time */
#endif
#ifndef TTL
#define TTL 2                  /* ticks */
#endif
#define DRIFT 1                /* by which the validity is shorter, and the clock of another replica may be faster */

#ifdef BEYOND_DRIFT
#define FASTEST (DRIFT + 1)
#else
#define FASTEST DRIFT
#endif

mtype = { unused, asking, held, over };     /* states of an attempt */
mtype = { none, sent, executed, learnt };   /* states of its extension */

byte a, b;                     /* the attempts of a step, 0 between steps */
byte last_fence;

typedef Record {
  byte version;                /* 0 if there is no record */
  byte token;
  byte fence
}
Record record;
byte writes;                   /* of the store so far */

typedef Attempt {
  mtype state;
  bool knows;                  /* its replica has read the record */
  byte seen;                   /* the version that it read, 0 if there was no record */
  byte holder;                 /* the token that it read */
  byte watched;                /* ticks since it first read this version */
  byte expected;               /* the version that its takeover needs */
  bool taken;                  /* its takeover was executed */
  byte version;                /* of its own last write */
  mtype extension;
  byte age;                    /* ticks since the write was sent whose answer it waits for */
  byte left;                   /* ticks until the deadline of its lease */
  byte fence
}
Attempt attempts[ATTEMPTS + 1];

#define A attempts[a]
#ifdef LATE_GRANT
#define IN_TIME true
#else
#define IN_TIME (A.age < TTL - DRIFT)
#endif
#ifdef NO_VERSION
#define MAY_TAKE true
#else
#define MAY_TAKE (record.version == A.expected)
#endif
#ifdef REVIVE
#define MAY_EXTEND true
#else
#define MAY_EXTEND (record.version == A.version)
#endif
#ifdef ANY_RELEASE
#define MAY_RELEASE true
#else
#define MAY_RELEASE (record.version == A.version)
#endif

inline count_down(timer) {
  if
  :: timer > 0 -> timer--
  :: else
  fi
}

inline tick() {
  for (a : 1 .. ATTEMPTS) {
    count_down(A.left);
    if
    :: A.watched < TTL && A.knows -> A.watched++
    :: else
    fi;
    if
    :: A.age < TTL && (A.state == asking || (A.state == held && A.extension != none && A.extension != learnt)) -> A.age++
    :: else
    fi
  }
}

/* The store executes a write, which gives the record a new version. */
inline write(by) {
  writes++;
#ifdef REUSED_VERSIONS
  record.version++;
#else
  record.version = writes;
#endif
  record.token = by
}

inline delete() {
  record.version = 0;
  record.token = 0;
#ifdef FENCE_OF_RECORD
  record.fence = 0
#endif
}

/* The attempt holds the lock until the deadline of its last write. */
inline hold() {
  if
  :: A.age < TTL - DRIFT -> A.left = TTL - DRIFT - A.age
  :: else -> A.left = 1        /* with LATE_GRANT only */
  fi;
  A.age = 0;
  for (b : 1 .. ATTEMPTS) {
    assert(b == a || attempts[b].state != held || attempts[b].left == 0)     /* S1 */
  }
}

inline forget() {
  A.knows = false;
  A.seen = 0;
  A.holder = 0;
  A.watched = 0
}

/* What one attempt and its replica do. */
inline act() {
  if
  /* Its replica reads the record, and counts from then on unless it knows this version. */
  :: A.state == unused && (!A.knows || A.seen != record.version) ->
#ifdef COUNT_GOES_ON
     if
     :: A.holder == record.token
     :: A.holder != record.token -> A.watched = 0
     fi;
#else
     A.watched = 0;
#endif
     A.knows = true;
     A.seen = record.version;
     A.holder = record.token
  /* It takes the place of nobody, or of a holder whose write it has seen for the duration of a lease. */
  :: A.state == unused && A.knows && (A.seen == 0 || A.watched >= TTL - FASTEST) ->
     A.state = asking;
     A.expected = A.seen;
     forget()
  :: A.state == asking && A.taken && IN_TIME ->
     assert(A.fence > last_fence);                                                 /* S3 */
     last_fence = A.fence;
     A.state = held;
     hold()
  :: A.state == held && A.extension == none && A.left > 0 -> A.extension = sent
  :: A.state == held && A.extension == executed && IN_TIME -> A.extension = learnt; hold()
  /* It gives up, or releases. */
  :: A.state == asking || A.state == held -> A.state = over; A.age = 0; A.left = 0
  /* Its replica starts again. */
  :: A.knows -> forget()
  :: else
  fi
}

/* What the store does when a write of an attempt arrives. */
inline receive() {
  if
  :: A.state != unused && !A.taken && MAY_TAKE ->
     write(a);
     A.taken = true;
     A.version = record.version;
#ifdef FENCE_OF_RECORD
     record.fence++;
     A.fence = record.fence
#else
     A.fence = writes
#endif
  :: A.extension == sent && MAY_EXTEND ->
     write(a);
     A.extension = executed;
     A.version = record.version
  :: A.state == over && A.taken && MAY_RELEASE -> delete()
  :: else
  fi
}

inline done() {
  a = 0;
  b = 0
}

active proctype system() {
  for (a : 1 .. ATTEMPTS) {
    A.state = unused;
    A.extension = none
  }
  done();
  do
  :: atomic { tick(); done() }
  :: atomic { select(a : 1 .. ATTEMPTS); act(); done() }
  :: atomic { select(a : 1 .. ATTEMPTS); receive(); done() }
  od
}
