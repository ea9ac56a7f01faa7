import { describe, expect, it } from 'vitest'
import { accessProblem } from '../src/index.ts'

const US = 1000
const ROOT = 0
const STRANGER = 1234

const file = (uid: number, mode: number) => ({ uid, mode, isDirectory: () => false })
const folder = (uid: number, mode: number) => ({ uid, mode, isDirectory: () => true })

describe('the access to a file that must be trusted', () => {
  it.each([0o600, 0o400, 0o700, 0o711])('is in order with mode %o, where we or root own it', (mode) => {
    for (const uid of [US, ROOT]) expect(accessProblem('f', file(uid, mode), {}, US)).toBeUndefined()
    expect(accessProblem('f', file(ROOT, mode), {}, ROOT)).toBeUndefined()
  })

  it.each([0o604, 0o602, 0o644, 0o666, 0o777])('is refused with mode %o, with the command that closes it', (mode) => {
    const problem = 'is open to other users'
    const refused = (remedy: string) => ({ refused: true, problem, remedy })
    expect(accessProblem('/d/f', file(US, mode), {}, US)).toEqual(refused('Close it: chmod 600 /d/f'))
    expect(accessProblem('/d', folder(US, mode), {}, US)).toEqual(refused('Close it: chmod 700 /d'))
    expect(accessProblem('/d/f', file(ROOT, mode), {}, US)).toEqual(refused('Close it: sudo chmod o-rwx /d/f'))
    expect(accessProblem("/it's f", file(US, mode), {}, US)).toEqual(refused(`Close it: chmod 600 '/it'\\''s f'`))
  })

  it('is refused where another user owns it, for root, too', () => {
    expect(accessProblem('f', file(STRANGER, 0o600), {}, US)).toEqual({
      refused: true,
      problem: 'belongs to another user (1234), who can change it',
      remedy: 'Look at what is in it; if it is yours, take it over: sudo chown 1000 f',
    })
    expect(accessProblem('d', folder(STRANGER, 0o700), {}, ROOT)).toEqual({
      refused: true,
      problem: 'belongs to another user (1234), who can change it',
      remedy: "Run this as that user: sudo -u '#1234' rollcall ...",
    })
  })

  it.each([0o640, 0o660, 0o620])('is worth a warning with mode %o: Kubernetes gives the group access', (mode) => {
    expect(accessProblem('f', file(US, mode), {}, US)).toEqual({
      refused: false,
      problem: 'is open to its group',
      remedy: "Close it, unless the group is this service's own: chmod g-rw f",
    })
    expect(accessProblem('f', file(ROOT, mode), {}, US)).toMatchObject({ refused: false })
  })

  it('is in order where everybody may read what is no secret, and refused where everybody may write', () => {
    const readable = { readable: true } as const
    expect(accessProblem('f', file(US, 0o644), readable, US)).toBeUndefined()
    expect(accessProblem('f', file(US, 0o664), readable, US)).toBeUndefined()
    expect(accessProblem('f', file(US, 0o646), readable, US)).toMatchObject({
      refused: true,
      remedy: 'Close it: chmod o-w f',
    })
    const shared = { readable: true, strangers: 'warned' } as const
    expect(accessProblem('f', file(STRANGER, 0o644), readable, US)).toMatchObject({ refused: true })
    expect(accessProblem('f', file(STRANGER, 0o644), shared, US)).toMatchObject({ refused: false })
    expect(accessProblem('f', file(STRANGER, 0o666), shared, US)).toMatchObject({ refused: true })
  })

  it('is worth a warning where the system has put a secret there that everybody may read', () => {
    const mounted = { mounted: true }
    expect(accessProblem('f', file(ROOT, 0o444), mounted, US)).toMatchObject({ refused: false })
    expect(accessProblem('f', file(ROOT, 0o440), mounted, US)).toBeUndefined()
    expect(accessProblem('f', file(ROOT, 0o446), mounted, US)).toMatchObject({ refused: true })
    expect(accessProblem('f', file(US, 0o444), mounted, US)).toMatchObject({ refused: true })
    expect(accessProblem('f', file(STRANGER, 0o400), mounted, US)).toMatchObject({ refused: true })
    // What is ours was not mounted: its group is warned of.
    expect(accessProblem('f', file(US, 0o640), mounted, US)).toMatchObject({ refused: false })
  })
})
