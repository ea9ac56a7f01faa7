import { expect, it } from 'vitest'
import { contrast, legibleOn, textOn } from '../src/legible-colours.ts'

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#ffcc00', '#000000', 13.9],
])('knows the contrast of %s and %s', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

const every = Array.from({ length: 6 * 6 * 6 }, (_, n) =>
  [Math.floor(n / 36), Math.floor(n / 6) % 6, n % 6].map((step) => (step * 51).toString(16).padStart(2, '0')).join(''),
).map((digits) => `#${digits}`)

it('keeps text legible on, and as, any colour', () => {
  for (const colour of every) {
    expect(contrast(textOn(colour), colour), colour).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['#ffffff', '#20252c', '#fffdfa', '#1b1e22'])
      expect(contrast(legibleOn(colour, ground), ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  }
})

it('leaves a colour alone that is legible already', () => {
  expect(legibleOn('#1a56b0', '#ffffff')).toBe('#1a56b0')
  expect(legibleOn('#ffcc00', '#20252c')).toBe('#ffcc00')
})
