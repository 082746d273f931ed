/** The input of a report's renderers: both write the same blocks in the same order. Every text is plain; each renderer escapes it. */

export interface ReportDocument {
  readonly title: string;
  readonly cover: {
    /** Domain. */
    readonly website: string;
    /** The recipient of the report; null: none was named. */
    readonly preparedFor: string | null;
    readonly period: string;
    /** `2026-11-22` */
    readonly madeOn: string;
  };
  readonly sections: readonly Section[];
}

export interface Section {
  /** The target of links within the page. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = Paragraph | Figures | Chart | Table | FindingBlock | Terms;

export interface Paragraph {
  readonly kind: 'text';
  readonly text: string;
}

/** The few numbers at the start of a section. */
export interface Figures {
  readonly kind: 'figures';
  readonly figures: readonly { readonly label: string; readonly value: string; readonly note: string }[];
}

export interface Chart {
  readonly kind: 'chart';
  readonly caption: string;
  /** A description for people who cannot see the chart. */
  readonly alt: string;
  /** Complete, drawn by charts/. */
  readonly svg: string;
}

export interface Table {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly Column[];
  /** As many cells as there are columns. */
  readonly rows: readonly (readonly string[])[];
}

export interface Column {
  readonly title: string;
  /** `path`: may be long, and has few places for a line break. `prose`: sentences. */
  readonly holds: 'text' | 'prose' | 'path' | 'number';
}

export type Level = 'high' | 'medium' | 'low';

export interface FindingBlock {
  readonly kind: 'finding';
  /** From 1. */
  readonly place: number;
  readonly level: Level;
  readonly title: string;
  readonly figure: string;
  readonly why: string;
  readonly action: string;
  /** The API read with its figures. */
  readonly read: string;
  readonly examples: Table | null;
}

export interface Terms {
  readonly kind: 'terms';
  readonly items: readonly { readonly term: string; readonly text: string }[];
}

export const paragraph = (text: string): Paragraph => ({ kind: 'text', text });
