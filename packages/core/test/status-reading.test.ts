import { describe, expect, it } from 'vitest'
import { StatusReading } from '../src/transfer/status-reading.ts'

describe('the meanings of the words of a file', () => {
  it.each([
    [{ Active: 'confirmed', active: 'ended' }, "'active'"],
    [{ gone: 'ended', ' GONE ': 'ended' }, "' GONE '"],
    [{ '': 'pending', ' ': 'ended' }, "' '"],
  ])('are refused if two are read as the same word: %j', (meanings, named) => {
    const reading = () => new StatusReading(meanings)
    expect(reading).toThrow(
      expect.objectContaining({ details: [{ field: 'status', message: expect.stringContaining(named) }] }),
    )
    expect(reading).toThrow(
      expect.objectContaining({ details: [{ field: 'status', message: expect.stringContaining('once') }] }),
    )
  })

  it('are taken without regard to case', () => {
    const reading = new StatusReading({ Active: 'confirmed', inactive: 'ended' })
    expect([reading.read('active '), reading.read('INACTIVE')]).toEqual(['confirmed', 'ended'])
  })
})
