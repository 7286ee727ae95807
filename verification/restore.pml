/*
 * The restoration of a lease as docs/guarantees.md states it (R7): masters that do not have an extended lease get it again. A release,
 * or a forced release, of the same lease runs at the same time.
 *
 * A step is one action of one part, whenever it likes. A message that was sent arrives at any later time, or never. The reply to a
 * permission, and to a delete, may be lost. Extensions are left out: a restoration may begin at any time, so that only its own rules keep
 * it from undoing a release.
 *
 * UNDONE  After a release has succeeded, no majority has the lease.
 *
 * Each of these definitions takes a rule or an assumption away, and the checker finds how a release is undone without it:
 *   NO_CHECK        a lease is restored without a majority
 *   NO_WAIT         the majority is asked at once after the permission
 *   KEEP_PERMIT     a delete leaves the permission
 *   UNNAMED         any permission is enough, also one that was given after a delete
 *   SLOW_RELEASE    deletes count for a release although they took longer than the wait
 */
#define MASTERS 3
#define QUORUM (MASTERS / 2 + 1)
#define RESTORATIONS 2         /* at the same time, one after the other any number of them */
#ifdef NO_WAIT
#define WAIT 0
#else
#define WAIT 2                 /* ticks between a permission and the question */
#endif
#ifdef SLOW_RELEASE
#define LONGEST 2
#else
#define LONGEST 1              /* ticks in which all deletes that count for a release take effect */
#endif

mtype = { unused, permitting, waiting, asking, writing, running, succeeded };

byte r, m;                     /* the restoration and the master of a step, 0 between steps */
byte permits;                  /* the number of the last permission */

typedef Master {
  bool has;                    /* the lease */
  byte permit                  /* 0 if there is none */
}
Master masters[MASTERS];

typedef Restoration {
  mtype state;
  byte target;
  byte permit;
  byte left;                   /* ticks to wait */
  byte votes                   /* masters with the lease, as bits */
}
Restoration restorations[RESTORATIONS];

mtype release;
byte age;                      /* ticks since its start */
byte deleted;                  /* masters whose deletes count, as bits */

#define R restorations[r]
#define M masters[m]
#define COUNT(bits) ((bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1))
#define HOLDING (masters[0].has + masters[1].has + masters[2].has)
#define MOST_PERMITS 3
#ifdef UNNAMED
#define PERMITTED (M.permit != 0)
#else
#define PERMITTED (M.permit == R.permit)
#endif

inline begin_restoration() {
  R.state = permitting;
  R.target = m
}

inline end_restoration() {
  R.state = unused;
  R.target = 0;
  R.permit = 0;
  R.left = 0;
  R.votes = 0
}

/* Permissions have different names. An earlier one stays. */
inline allow() {
  if
  :: M.permit == 0 -> permits++; M.permit = permits
  :: else
  fi;
  if
  :: R.permit = M.permit; R.left = WAIT; R.state = waiting
  :: end_restoration()         /* The reply is lost. */
  fi
}

inline write() {
  if
  :: !M.has && PERMITTED ->
     M.has = true;
     M.permit = 0;
     assert(release != succeeded || HOLDING < QUORUM)     /* UNDONE */
  :: else
  fi;
  end_restoration()
}

inline delete() {
  M.has = false;
#ifndef KEEP_PERMIT
  M.permit = 0;
#endif
  if
  :: release == running && age <= LONGEST -> deleted = deleted | (1 << m)
  :: skip                      /* The reply is lost. */
  fi;
  if
  :: release == running && COUNT(deleted) >= QUORUM -> release = succeeded; age = 0; deleted = 0
  :: else
  fi
}

inline tick() {
  for (r : 0 .. RESTORATIONS - 1) {
    if
    :: R.left > 0 -> R.left--
    :: else
    fi
  }
  if
  :: release == running && age <= LONGEST -> age++
  :: else
  fi
}

inline act() {
  if
  :: R.state == unused -> begin_restoration()
  :: R.state == permitting && m == R.target && !M.has && (M.permit != 0 || permits < MOST_PERMITS) -> allow()
#ifdef NO_CHECK
  :: R.state == waiting && R.left == 0 -> R.state = writing
#else
  :: R.state == waiting && R.left == 0 -> R.state = asking
#endif
  :: R.state == asking && M.has -> R.votes = R.votes | (1 << m)
  :: R.state == asking && COUNT(R.votes) >= QUORUM -> R.state = writing; R.votes = 0
  :: R.state == writing && m == R.target -> write()
  :: R.state != unused -> end_restoration()
  :: else
  fi
}

inline done() {
  r = 0;
  m = 0
}

active proctype system() {
  for (r : 0 .. RESTORATIONS - 1) {
    R.state = unused
  }
  masters[0].has = true;
  masters[1].has = true;
  release = unused;
  done();
  do
  :: atomic { tick(); done() }
  :: atomic { release == unused -> release = running }
  :: atomic { release != unused -> select(m : 0 .. MASTERS - 1); delete(); done() }
  :: atomic { select(r : 0 .. RESTORATIONS - 1); select(m : 0 .. MASTERS - 1); act(); done() }
  od
}
