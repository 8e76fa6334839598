import { expect, test } from 'bun:test'
import { evolveRecord, listRecords, type StoreRecord } from './record.ts'
import { RECORDS } from './records.ts'
import { type FactsOf, ID, INSTANT, pick, type RowFrom, text } from './shape.ts'

const FIELDS = { plant_id: ID, name: text(), place: text(), potted_at: INSTANT }
type Plant = RowFrom<typeof FIELDS>

const FACTS = {
  plant_pot: pick(FIELDS, 'plant_id', 'name', 'place'),
  plant_sow: pick(FIELDS, 'plant_id', 'name'),
  plant_move: pick(FIELDS, 'plant_id', 'place'),
}
type PlantFacts = FactsOf<typeof FACTS>

const PLANTS: StoreRecord<Plant, PlantFacts> = {
  table: 'plants',
  one: 'plant',
  key: 'plant_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    plant_pot: {
      makes: (facts, { at }) => ({ ...facts, potted_at: at }),
      keeps: ['potted_at', 'place'],
    },
    plant_sow: { makes: (facts, { at }) => ({ ...facts, place: 'outside', potted_at: at }) },
    plant_move: { changes: ({ place }) => ({ place }) },
  },
}

const EARLY = { agent: 'ann', at: '2026-03-01T08:00:00.000Z' }
const LATE = { agent: 'bob', at: '2026-03-02T08:00:00.000Z' }
const POT: PlantFacts = { type: 'plant_pot', plant_id: 'p', name: 'Fern', place: 'hall' }

test('an event creates a row, or changes the fields it names', () => {
  const potted = evolveRecord(PLANTS, null, POT, EARLY)
  expect(potted).toEqual({ plant_id: 'p', name: 'Fern', place: 'hall', potted_at: EARLY.at })
  const move: PlantFacts = { type: 'plant_move', plant_id: 'p', place: 'desk' }
  expect(evolveRecord(PLANTS, potted, move, LATE)).toEqual({ ...potted, place: 'desk' })
  expect(() => evolveRecord(PLANTS, null, move, LATE)).toThrow(
    'plant_move: that plant is not there',
  )
})

test('a repeated event keeps the protected fields, and is rejected if there are none', () => {
  const potted = evolveRecord(PLANTS, null, POT, EARLY)
  const again: PlantFacts = { ...POT, name: 'Palm', place: 'desk' }
  expect(evolveRecord(PLANTS, potted, again, LATE)).toEqual({ ...potted, name: 'Palm' })
  const sow: PlantFacts = { type: 'plant_sow', plant_id: 'p', name: 'Fern' }
  expect(() => evolveRecord(PLANTS, potted, sow, LATE)).toThrow('that plant is there already')
})

test('an event belongs to one record, and to a thread only if its record does', () => {
  const list = listRecords([...RECORDS.all, PLANTS])
  expect(list.byEvent.get('plant_move')).toBe(list.all.at(-1))
  expect(list.rules.plant_move).toEqual({ of: 'record', in: 'none', by: 'anyone', quiet: true })
  expect(list.rules.push_trash).toMatchObject({ of: 'push', move: 'trash' })
  expect(() => listRecords([...list.all, PLANTS])).toThrow('plant_pot is of two records')
})
