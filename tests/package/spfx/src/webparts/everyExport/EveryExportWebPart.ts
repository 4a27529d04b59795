import * as steadfetch from 'steadfetch';
import { OrdersPart } from '../../OrdersPart';
import type { Send } from '../../orders';

export default class EveryExportWebPart extends OrdersPart {
  /** As a whole, so that the bundler leaves nothing out. */
  public readonly all: typeof steadfetch = steadfetch;
  protected readonly read: Send = steadfetch.spFetch;
  protected readonly ask: Send = steadfetch.aiFetch;

  protected runsOn(): string {
    return steadfetch.engine();
  }
}
