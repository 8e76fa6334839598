import { expect, test } from 'bun:test'
import { elementsOf, linesOf } from './file-lines.ts'

/** Reads the text in one chunk and byte by byte; both must give the same result. */
async function read(text: string | Uint8Array, cut = elementsOf): Promise<[number, string][]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const [whole, single] = await Promise.all(
    [bytes.length || 1, 1].map((size) => inChunks(bytes, size, cut)),
  )
  expect(single).toEqual(whole as [number, string][])
  return whole as [number, string][]
}

async function inChunks(bytes: Uint8Array, size: number, cut: typeof linesOf) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const all: [number, string][] = []
  for await (const { number, bytes } of cut(chunks())) {
    all.push([number, Buffer.from(bytes).toString('utf8')])
  }
  return all
}

test('reads each line with its number', async () => {
  expect(await read('{"a":1}\n\nx]\n[2]')).toEqual([
    [1, '{"a":1}'],
    [2, ''],
    [3, 'x]'],
    [4, '[2]'],
  ])
})

test('reads each element of a JSON list, however it’s formatted', async () => {
  const flat: [number, string][] = [
    [1, '{"a":"],}\\""}'],
    [1, '[1,2]'],
    [1, '3'],
  ]
  expect(await read('[{"a":"],}\\""},[1,2],3]')).toEqual(flat)
  expect(await read('\n [\n{"a":1},\n{\n "b": [2]\n}\n]\n')).toEqual([
    [3, '{"a":1}'],
    [4, '{  "b": [2] }'],
  ])
  expect(await read('[]\n')).toEqual([])
})

test('returns an unfinished element, or text after the list, as an element that isn’t JSON', async () => {
  expect(await read('[{"a":1},{"b"')).toEqual([
    [1, '{"a":1}'],
    [1, '{"b"'],
  ])
  expect(await read('[1]\nmore')).toEqual([
    [1, '1'],
    [2, 'more'],
  ])
})

test('only a newline ends a line, and invalid UTF-8 is left unchanged', async () => {
  expect(await read('\ufeff{"a":"\u2028\u2029\u0085"}\r\nb\rc', linesOf)).toEqual([
    [1, '\ufeff{"a":"\u2028\u2029\u0085"}\r'],
    [2, 'b\rc'],
  ])
  const bytes: number[] = []
  async function* chunks() {
    yield new Uint8Array([0x5b, 0x22, 0xff, 0x2c, 0xc3])
    yield new Uint8Array([0x28, 0x22, 0x2c, 0x31, 0x5d])
  }
  for await (const one of elementsOf(chunks())) bytes.push(...one.bytes, 0)
  expect(bytes).toEqual([0x22, 0xff, 0x2c, 0xc3, 0x28, 0x22, 0, 0x31, 0])
})

test('rejects a line over the limit before it fills memory', async () => {
  for (const [cut, begin] of [
    [linesOf, 'x\n'],
    [elementsOf, '["x",\n"'],
  ] as const) {
    let given = 0
    async function* chunks() {
      yield new TextEncoder().encode(begin)
      for (; given < 100; given++) yield new Uint8Array(1024 * 1024).fill(0x61)
    }
    const reading = Array.fromAsync(cut(chunks()))
    await expect(reading).rejects.toThrow('line 2 is longer than 33554432 bytes')
    expect(given).toBeLessThan(40)
  }
})
