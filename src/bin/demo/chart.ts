// Draws a small bar chart as a PNG, so that the demo has a picture to show without carrying one.

import { deflateSync } from 'node:zlib'

type Colour = readonly [number, number, number]

const PAPER: Colour = [255, 255, 255]
const LINE: Colour = [232, 232, 228]
const BEFORE: Colour = [196, 199, 205]
const NOW: Colour = [32, 86, 214]

const WIDTH = 960
const HEIGHT = 420
const FLOOR = 380

/** Pairs of bars, before and now, as shares of the full height. */
export function barChart(pairs: readonly (readonly [number, number])[]): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3)
  const fill = (left: number, top: number, width: number, height: number, colour: Colour) => {
    for (let y = Math.max(0, Math.round(top)); y < Math.min(HEIGHT, top + height); y++) {
      for (let x = Math.max(0, Math.round(left)); x < Math.min(WIDTH, left + width); x++) {
        pixels.set(colour, (y * WIDTH + x) * 3)
      }
    }
  }
  fill(0, 0, WIDTH, HEIGHT, PAPER)
  for (let step = 0; step <= 4; step++) fill(40, FLOOR - step * 84, WIDTH - 80, 2, LINE)
  const slot = (WIDTH - 80) / pairs.length
  for (const [at, [before, now]] of pairs.entries()) {
    const left = 40 + at * slot + slot * 0.2
    const wide = slot * 0.28
    fill(left, FLOOR - before * 336, wide, before * 336, BEFORE)
    fill(left + wide + 4, FLOOR - now * 336, wide, now * 336, NOW)
  }
  return png(pixels)
}

function png(pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array((WIDTH * 3 + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) {
    const row = pixels.subarray(y * WIDTH * 3, (y + 1) * WIDTH * 3)
    rows.set(row, y * (WIDTH * 3 + 1) + 1)
  }
  const head = new DataView(new ArrayBuffer(13))
  head.setUint32(0, WIDTH)
  head.setUint32(4, HEIGHT)
  // Eight bits of each of three colours.
  head.setUint8(8, 8)
  head.setUint8(9, 2)
  return Buffer.concat([
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk('IHDR', new Uint8Array(head.buffer)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const around = Buffer.alloc(body.length + 8)
  around.writeUInt32BE(data.length)
  around.set(body, 4)
  around.writeUInt32BE(Bun.hash.crc32(body), body.length + 4)
  return around
}
