import { describe, expect, it } from 'vitest'
import { closestName } from '../src/closest-name.ts'

const KNOWN = ['PORT', 'HOST', 'SMTP_URL', 'SMTP_PASSWORD', 'METRICS_HOST', 'METRICS_PORT']

describe('the closest name', () => {
  it.each([
    ['two letters swapped', 'SMPT_URL', 'SMTP_URL'],
    ['a letter missing', 'METRICS_PRT', 'METRICS_PORT'],
    ['a letter too many', 'PPORT', 'PORT'],
    ['a letter replaced', 'HAST', 'HOST'],
    ['three letters missing', 'SMTP_PASSW', 'SMTP_PASSWORD'],
  ])('is found with %s', (_, name, expected) => {
    expect(closestName(name, KNOWN)).toBe(expected)
  })

  it('is the first of those that are equally close', () => {
    expect(closestName('XOST', ['POST', 'HOST'])).toBe('POST')
  })

  it('is missing where no name is known, or none by so few edits', () => {
    expect(closestName('PORT', [])).toBeUndefined()
    expect(closestName('PRTO', KNOWN, 2)).toBe('PORT')
    expect(closestName('PRTO', KNOWN, 1)).toBeUndefined()
  })
})
