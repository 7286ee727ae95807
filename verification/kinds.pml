/*
 * Shared locks and semaphores on masters, as docs/adr/0026 states them: a master admits readers together and one holder of each
 * slot, and a majority decides. Messages are late, lost and repeated. Time and steps are those of redlock.pml, which has
 * restarts, extensions and fencing.
 *
 * C  A writer holds the lock alone, readers only with readers, and a semaphore has one holder of a slot, so at most SLOTS. With
 *    COUNT_ON_EACH_MASTER there are no slots, and the holders are counted.
 *
 * Each of these definitions takes a rule or an assumption away, and the checker finds how C breaks without it:
 *   COUNT_ON_EACH_MASTER  a master admits as many holders as there are slots, instead of one of each
 *   READERS_PASS          a reader is admitted beside a writer
 *   MINORITY              one vote less than a majority is enough
 *   BEYOND_DRIFT          the clock of a master is faster than the drift that is assumed
 */
#ifndef MASTERS
#define MASTERS 3
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3             /* any number of them at the same time */
#endif
#ifndef TTL
#define TTL 2                  /* ticks */
#endif
#define SLOTS 2
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

/* The kind of an attempt: a writer, a reader, or the number of a slot. */
#define WRITER 0
#define READER 1
#define SLOT 2                 /* and SLOT + 1, … */

mtype = { unused, asking, held, over };

byte a, b, m;                  /* the attempts and the master of a step, 0 between steps */
byte beside;                   /* how many others hold the lock or have a vote */
bool barred;                   /* one of them cannot hold it with the attempt */

typedef Master {
  byte left[ATTEMPTS + 1]      /* ticks until the value of an attempt ends; 0 if there is none */
}
Master masters[MASTERS];

typedef Attempt {
  mtype state;
  byte kind;
  byte age;                    /* ticks since its start */
  byte votes;                  /* masters with a vote, as bits */
  byte left                    /* ticks until the deadline of its lease */
}
Attempt attempts[ATTEMPTS + 1];

#define A attempts[a]
#define B attempts[b]
#define M masters[m]
#define COUNT ((A.votes & 1) + ((A.votes >> 1) & 1) + ((A.votes >> 2) & 1) + ((A.votes >> 3) & 1) + ((A.votes >> 4) & 1))
#define BOTH_SLOTS (A.kind >= SLOT && B.kind >= SLOT)
#define TOGETHER ((A.kind == READER && B.kind == READER) || (BOTH_SLOTS && A.kind != B.kind))

#ifdef READERS_PASS
#define ADMITS (TOGETHER || A.kind == READER)
#elif defined(COUNT_ON_EACH_MASTER)
#define ADMITS (TOGETHER || BOTH_SLOTS)
#else
#define ADMITS TOGETHER
#endif
#ifdef COUNT_ON_EACH_MASTER
#define FULL (A.kind >= SLOT && beside >= SLOTS)
#else
#define FULL false
#endif

inline count_down(timer) {
  if
  :: timer > 0 -> timer--
  :: else
  fi
}

inline tick() {
  for (m : 0 .. MASTERS - 1) {
    for (a : 1 .. ATTEMPTS) {
      count_down(M.left[a])
    }
  }
  for (a : 1 .. ATTEMPTS) {
    count_down(A.left);
    if
    :: A.age < TTL && A.state == asking -> A.age++
    :: else
    fi
  }
}

/* An attempt holds the lock until its deadline. */
inline grant() {
  A.state = held;
  A.left = TTL - DRIFT - A.age;
  A.age = 0;
  A.votes = 0;
  beside = 0;
  for (b : 1 .. ATTEMPTS) {
    if
    :: b != a && B.state == held && B.left > 0 ->
       beside++;
#ifdef COUNT_ON_EACH_MASTER
       assert(TOGETHER || BOTH_SLOTS)
#else
       assert(TOGETHER)                                                          /* C */
#endif
    :: else
    fi
  }
#ifdef COUNT_ON_EACH_MASTER
  assert(A.kind < SLOT || beside < SLOTS)                                       /* C */
#endif
  skip
}

/* Any kind, or always a slot, which is the same one for all if each master counts, for a smaller search. */
inline choose_kind() {
#ifdef ONLY_SLOTS
  A.kind = SLOT
#else
  select(b : WRITER .. SLOT + SLOTS - 1);
  A.kind = b
#endif
}

/* What one attempt does. */
inline act() {
  if
  :: A.state == unused && (a == 1 || attempts[a - 1].state != unused) ->         /* in their order */
     A.state = asking;
     choose_kind()
  :: A.state == asking && COUNT >= QUORUM && A.age < TTL - DRIFT -> grant()
  /* It gives up, or releases. Its clean-up deletes the value of its token. */
  :: A.state == asking || A.state == held -> A.state = over; A.age = 0; A.votes = 0; A.left = 0
  :: else
  fi
}

/*
 * What a master does when a message of an attempt arrives. The value ends on time, or earlier if its clock is fast. The late value
 * of an attempt that is over is left out: it only keeps others out.
 */
inline receive() {
  if
  :: A.state == over -> M.left[a] = 0
  :: A.state == asking || A.state == held ->
     beside = 0;
     for (b : 1 .. ATTEMPTS) {
       if
       :: b != a && M.left[b] > 0 ->
          beside++;
          barred = barred || !(ADMITS)
       :: else
       fi
     }
     if
     :: !barred && !(FULL) ->
        if
        :: M.left[a] = TTL
        :: M.left[a] = TTL - FASTEST
        fi;
        if
        :: A.state == asking -> A.votes = A.votes | (1 << m)
        :: else
        fi
     :: else
     fi
  :: else
  fi
}

inline done() {
  a = 0;
  b = 0;
  m = 0;
  beside = 0;
  barred = false
}

active proctype system() {
  for (a : 1 .. ATTEMPTS) {
    A.state = unused
  }
  done();
  do
  :: atomic { tick(); done() }
  :: atomic { select(a : 1 .. ATTEMPTS); act(); done() }
  :: atomic { select(a : 1 .. ATTEMPTS); select(m : 0 .. MASTERS - 1); receive(); done() }
  od
}
