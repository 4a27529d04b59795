import { aiFetch, engine, spFetch } from 'steadfetch';
import { OrdersPart } from '../../OrdersPart';
import type { Send } from '../../orders';

export default class OrdersWebPart extends OrdersPart {
  protected readonly read: Send = spFetch;
  protected readonly ask: Send = aiFetch;

  protected runsOn(): string {
    return engine();
  }
}
