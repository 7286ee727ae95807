/*
 * Redlock as docs/guarantees.md states it: masters vote, and a client that gets a majority in time holds the lock until its
 * deadline. Messages are late, lost and repeated, masters lose their data, and clocks drift.
 *
 * Each attempt has a token of its own. A step is one action of one part, whenever it likes. A message that was sent can arrive at
 * any later time and any number of times; one that never arrives is lost. Real time has ticks, without an end; timers count down.
 *
 * S1  Two attempts never hold the lock at the same time.
 * S3  A later grant has a larger fencing token.
 * S4  Only the token of a lease ends it; with ANY_DELETE, S1 breaks.
 *
 * Each of these definitions takes a rule or an assumption away, and the checker finds how a promise breaks without it:
 *   NO_QUARANTINE   a master votes at once after it lost its data (R9)
 *   BEYOND_DRIFT    the clock of a master is faster than the drift that is assumed
 *   REVIVE          an extension writes a value that is lost (R7)
 *   NO_WRITE_BACK   the fencing token is not stored by a majority before the grant
 *   MINORITY        one vote less than a majority is enough (R1)
 *   ANY_DELETE      a delete does not compare the token (R6)
 *   LATE_GRANT      a client does not read its clock before it accepts a grant
 */
#ifndef MASTERS
#define MASTERS 3
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3             /* any number of them at the same time */
#endif
#ifndef LAST
#define LAST 6                 /* tick of a model with FENCING, whose tokens follow the clock */
#endif
#ifndef TTL
#define TTL 2                  /* ticks */
#endif
#define DRIFT 1                /* by which the validity is shorter, and the clock of a master may be faster */

#ifdef MINORITY
#define QUORUM (MASTERS / 2)
#else
#define QUORUM (MASTERS / 2 + 1)
#endif
#ifdef BEYOND_DRIFT
#define FASTEST (DRIFT + 1)
#else
#define FASTEST DRIFT
#endif
#define PER_TICK 4             /* The clocks of the masters propose fencing tokens, as far apart as this. */

mtype = { unused, asking, storing, held, over };

byte a, b, m;                  /* the attempt and the master of a step, 0 between steps */
byte ticks, last_fence;          /* with FENCING only */

typedef Master {
  byte token;                  /* of the value, 0 if there is none */
  byte left;                   /* ticks until the value expires */
  byte silent;                 /* ticks in which it gives no vote */
  byte fence                   /* its counter */
}
Master masters[MASTERS];

typedef Attempt {
  mtype state;
  bool extending;              /* an extension was sent */
  byte age;                    /* ticks since the start of the round whose votes count */
  byte votes;                  /* masters with a vote, as bits */
  byte left;                   /* ticks until the deadline of its lease */
  byte fence
}
Attempt attempts[ATTEMPTS + 1];

#define A attempts[a]
#define M masters[m]
#define HAS (M.token == a)
#define COUNT ((A.votes & 1) + ((A.votes >> 1) & 1) + ((A.votes >> 2) & 1) + ((A.votes >> 3) & 1) + ((A.votes >> 4) & 1))
#define MAJORITY (COUNT >= QUORUM)
#ifdef LATE_GRANT
#define IN_TIME true
#else
#define IN_TIME (A.age < TTL - DRIFT)
#endif

inline vote() {
  if
  :: M.silent == 0 -> A.votes = A.votes | (1 << m)
  :: else
  fi
}

/* The value expires on time, or earlier if the clock of the master is fast. */
inline keep() {
  M.token = a;
  if
  :: M.left = TTL
  :: M.left = TTL - FASTEST
  fi
}

inline forget() {
  M.token = 0;
  M.left = 0
}

inline begin_round() {
  A.age = 0;
  A.votes = 0
}

/* The attempt holds the lock until the deadline of the round. */
inline hold() {
  if
  :: A.age < TTL - DRIFT -> A.left = TTL - DRIFT - A.age
  :: else -> A.left = 1        /* with LATE_GRANT only */
  fi;
  A.age = 0;
  A.votes = 0;
  for (b : 1 .. ATTEMPTS) {
    assert(b == a || attempts[b].state != held || attempts[b].left == 0)     /* S1 */
  }
}

inline grant() {
#ifdef FENCING
  assert(A.fence > last_fence);                                                    /* S3 */
  last_fence = A.fence;
#endif
  A.state = held;
  hold()
}

inline choose_fence() {
  if
  :: A.fence + 1 > ticks * PER_TICK -> A.fence = A.fence + 1
  :: else -> A.fence = ticks * PER_TICK
  fi
}

inline count_down(timer) {
  if
  :: timer > 0 -> timer--
  :: else
  fi
}

inline tick() {
  for (m : 0 .. MASTERS - 1) {
    count_down(M.left);
    count_down(M.silent);
    if
    :: M.left == 0 -> M.token = 0
    :: else
    fi
  }
  for (a : 1 .. ATTEMPTS) {
    count_down(A.left);
    if
    :: A.age < TTL && (A.state == asking || A.state == storing || (A.state == held && A.extending)) -> A.age++
    :: else
    fi
  }
#ifdef FENCING
  ticks++
#endif
}

inline restart() {
  forget();
  M.fence = 0;
#ifndef NO_QUARANTINE
  M.silent = TTL;
#endif
  skip
}

/* What one attempt does. */
inline act() {
  if
  :: A.state == unused && (a == 1 || attempts[a - 1].state != unused) -> A.state = asking; begin_round()   /* in their order */
  :: A.state == asking && MAJORITY && IN_TIME ->
#ifdef FENCING
     choose_fence();
#endif
#if defined(FENCING) && !defined(NO_WRITE_BACK)
     A.state = storing;
     A.votes = 0
#else
     grant()
#endif
  :: A.state == storing && MAJORITY && IN_TIME -> grant()
  :: A.state == held && !A.extending && A.left > 0 -> A.extending = true; begin_round()
  :: A.state == held && A.extending && MAJORITY && IN_TIME -> hold()
  /* It gives up, or releases. Its clean-up deletes the value of its token. */
  :: A.state == asking || A.state == storing || A.state == held ->
     A.state = over; A.age = 0; A.votes = 0; A.left = 0; A.fence = 0
  :: else
  fi
}

/* What a master does when a message of an attempt arrives. */
inline receive() {
  if
  :: A.state != unused && (HAS || M.token == 0) ->
     if
     :: A.state == asking ->
        if
        :: M.fence > A.fence && M.silent == 0 -> A.fence = M.fence
        :: else
        fi;
        vote()
     :: else
     fi;
     keep()
  :: A.state == storing && HAS ->
     if
     :: M.fence < A.fence -> M.fence = A.fence
     :: else
     fi;
     vote()
#ifdef REVIVE
  :: A.extending ->
#else
  :: A.extending && HAS ->
#endif
     keep();
     if
     :: A.state == held -> vote()
     :: else
     fi
#ifdef ANY_DELETE
  :: A.state == over -> forget()
#else
  :: A.state == over && HAS -> forget()
#endif
  :: else
  fi
}

inline done() {
  a = 0;
  b = 0;
  m = 0
}

active proctype system() {
  for (a : 1 .. ATTEMPTS) {
    A.state = unused
  }
  done();
  do
#ifdef FENCING
  :: atomic { ticks < LAST -> tick(); done() }
#else
  :: atomic { tick(); done() }
#endif
#ifndef NO_RESTARTS
  :: atomic { select(m : 0 .. MASTERS - 1); restart(); done() }
#endif
  :: atomic { select(a : 1 .. ATTEMPTS); act(); done() }
  :: atomic { select(a : 1 .. ATTEMPTS); select(m : 0 .. MASTERS - 1); receive(); done() }
  od
}
