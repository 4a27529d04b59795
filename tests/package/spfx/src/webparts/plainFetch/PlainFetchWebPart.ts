import { OrdersPart } from '../../OrdersPart';
import type { Send } from '../../orders';

export default class PlainFetchWebPart extends OrdersPart {
  protected readonly read: Send = fetch;
  protected readonly ask: Send = fetch;

  protected runsOn(): string {
    return 'fetch';
  }
}
