const OLDEST = [24, 15] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

// The SQLite of an older Node.js can corrupt a database, or is not there.
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
  throw new Error(
    `@rollcall/storage-sql needs Node.js ${OLDEST.join('.')} or later, and this is ${process.versions.node}. Install a later one from https://nodejs.org.`,
  )
