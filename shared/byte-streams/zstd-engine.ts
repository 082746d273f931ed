import { ZSTDDecoder } from 'zstddec/stream';

/** Facebook's decoder, compiled to WebAssembly (npm package zstddec). */

interface Engine {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(pointer: number): void;
  ZSTD_createDCtx(): number;
  ZSTD_freeDCtx(context: number): void;
  /** @returns 0 at a frame's end, a hint of the next input size, or a negated error code. */
  ZSTD_decompressStream(context: number, output: number, input: number): number;
}

/** The decoder of one stream, with its own memory: a failed decoder does not affect others. */
export interface ZstdContext {
  /**
   * @param input at most {@link STEP_BYTES}
   * @param from index of the first unread byte
   */
  step(input: Uint8Array, from: number): Step;
  /** @param isSound whether another stream may reuse the memory */
  close(isSound: boolean): void;
}

export interface Step {
  /** A copy, at most {@link STEP_BYTES}. */
  readonly output: Buffer;
  /** Index in the input at which the next step continues. */
  readonly read: number;
  /** 0 at a frame's end, positive within one. */
  readonly state: number;
}

/** Size of the input and output buffers: zstd's largest block. */
export const STEP_BYTES = 128 * 1024;
/** Size of the two structs { pointer, size, position }. */
const STRUCT_BYTES = 12;
/** Memories kept for later streams. A new memory for each stream costs more than a small upload. */
const MOST_IDLE = 4;
/** The initial size of a memory has room for a window of 8 MiB. */
const MOST_IDLE_BYTES = 20 * 1024 ** 2;
/** zstd's error codes are the highest unsigned 32-bit numbers. */
const FIRST_ERROR = 2 ** 32 - 128;

/** Node's own types lack WebAssembly. */
type CompiledModule = object;

const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Instance: new (module: CompiledModule, imports: object) => { readonly exports: Engine };
  };
};

let engineModule: Promise<CompiledModule> | null = null;
const idle: Engine[] = [];

/** The package's wrapper shares one memory and ignores errors, so only its compiled module is used. */
function loadModule(): Promise<CompiledModule> {
  engineModule ??= new Promise((resolve, reject) => {
    class Loader extends ZSTDDecoder {
      override _init(result: { readonly module: CompiledModule }): void {
        resolve(result.module);
      }
    }
    new Loader().init().catch(reject);
  });
  return engineModule;
}

async function openEngine(): Promise<Engine> {
  const module = await loadModule();
  const waiting = idle.pop();
  if (waiting !== undefined) return waiting;
  const env = { emscripten_notify_memory_growth() {} };
  return new wasm.Instance(module, { env }).exports;
}

export async function openZstdContext(): Promise<ZstdContext> {
  const engine = await openEngine();
  const context = engine.ZSTD_createDCtx();
  const bytes = engine.malloc(2 * STEP_BYTES + 2 * STRUCT_BYTES);
  if (context === 0 || bytes === 0) throw new Error('no memory for zstd');
  const inputAt = bytes;
  const outputAt = bytes + STEP_BYTES;
  const inputStruct = outputAt + STEP_BYTES;
  const outputStruct = inputStruct + STRUCT_BYTES;

  return {
    step(input, from) {
      new Uint8Array(engine.memory.buffer).set(from === 0 ? input : input.subarray(from), inputAt);
      const before = new DataView(engine.memory.buffer);
      writeStruct(before, inputStruct, inputAt, input.length - from);
      writeStruct(before, outputStruct, outputAt, STEP_BYTES);
      const state = engine.ZSTD_decompressStream(context, outputStruct, inputStruct) >>> 0;
      if (state >= FIRST_ERROR) throw new Error(describe(2 ** 32 - state));
      // If the memory has grown, its buffer is a new object.
      const after = new DataView(engine.memory.buffer);
      const written = after.getUint32(outputStruct + 8, true);
      const output = Buffer.from(engine.memory.buffer.slice(outputAt, outputAt + written));
      return { output, read: from + after.getUint32(inputStruct + 8, true), state };
    },
    close(isSound) {
      if (!isSound) return;
      engine.ZSTD_freeDCtx(context);
      engine.free(bytes);
      if (idle.length < MOST_IDLE && engine.memory.buffer.byteLength <= MOST_IDLE_BYTES) idle.push(engine);
    },
  };
}

function writeStruct(view: DataView, at: number, pointer: number, size: number): void {
  view.setUint32(at, pointer, true);
  view.setUint32(at + 4, size, true);
  view.setUint32(at + 8, 0, true);
}

/** From zstd_errors.h. */
const errors = new Map([
  [16, 'the window is too large'],
  [22, 'the checksum is wrong'],
  [32, 'a dictionary is needed'],
]);

function describe(code: number): string {
  return errors.get(code) ?? `damaged zstd data (code ${code})`;
}
