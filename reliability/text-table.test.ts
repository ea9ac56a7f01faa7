import { describe, expect, it } from 'vitest'
import { textTable } from './text-table.ts'

describe('a table as text', () => {
  it('has columns as wide as their widest cell, numbers to the right where asked', () => {
    const table = {
      head: ['case', 'answers'],
      rows: [
        ['one', 5],
        ['another', '12,000'],
      ],
    }
    expect(textTable(table)).toBe('case     answers\n-------  -------\none      5\nanother  12,000')
    expect(textTable({ ...table, right: (column) => column === 1 })).toBe(
      'case     answers\n-------  -------\none            5\nanother   12,000',
    )
  })

  it('is empty without columns', () => {
    expect(textTable({ head: [], rows: [] }).trim()).toBe('')
  })
})
