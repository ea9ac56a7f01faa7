import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { lookAt, newDatabase, openStorage } from './temporary-storage.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

it('by an instance of the version before say no door, and are of no feeds', async () => {
  const file = await newDatabase()
  lookAt(file, (database) =>
    database.exec(`
      INSERT INTO console_session
        (id, secret_hash, subject, role_source, roles, token_id, issued_at, created_at, seen_at, expires_at)
        VALUES ('a', '${hashOf('secret')}', 'operator:root', 'operator', '[]', NULL, 1, 1, 1, 9000000000000);
      INSERT INTO login_link (secret_hash, subject, expires_at) VALUES ('${hashOf('link')}', 'operator:root', 9000000000000)`),
  )
  const { readers, unitOfWork } = await openStorage(file)
  const session = await readers.consoleSessions.find(hashOf('secret'))
  expect(session).toMatchObject({ subject: 'operator:root', door: '', feeds: undefined })
  const link = await unitOfWork.run(({ loginLinks }) => loginLinks.find(hashOf('link')))
  expect(link).toMatchObject({ subject: 'operator:root', door: '', issuedAt: 0 })
})
