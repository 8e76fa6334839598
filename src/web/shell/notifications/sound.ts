export type Sound = 'needs you' | 'failed'

/** Frequencies in Hz, played one after the other. */
const NOTES: Record<Sound, readonly number[]> = {
  'needs you': [587.33, 880],
  failed: [392, 311.13],
}
const NOTE_SECONDS = 0.16
const LOUDNESS = 0.12
const EVERY_MS = 10_000

let audio: AudioContext | undefined
let last = Number.NEGATIVE_INFINITY

/** Plays at most once every ten seconds. A test from the settings always plays. */
export function play(sound: Sound, isTrial = false): void {
  const now = Date.now()
  if (!isTrial && now - last < EVERY_MS) return
  last = now
  audio ??= new AudioContext()
  // Browsers keep a page silent until the person has interacted with it.
  void audio.resume()
  const begin = audio.currentTime + 0.02
  for (const [at, frequency] of NOTES[sound].entries()) {
    note(audio, frequency, begin + at * NOTE_SECONDS)
  }
}

function note(context: AudioContext, frequency: number, at: number): void {
  const tone = new OscillatorNode(context, { type: 'sine', frequency })
  const loudness = new GainNode(context, { gain: 0 })
  const end = at + NOTE_SECONDS * 2
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(LOUDNESS, at + 0.015)
  loudness.gain.exponentialRampToValueAtTime(0.0001, end)
  tone.connect(loudness).connect(context.destination)
  tone.start(at)
  tone.stop(end)
}
