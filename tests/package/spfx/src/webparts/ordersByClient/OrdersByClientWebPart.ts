import { SPHttpClient } from '@microsoft/sp-http';
import { createAiFetch, createSpFetch, engine } from 'steadfetch';
import { viaSPHttpClient } from 'steadfetch/spfx';
import { OrdersPart } from '../../OrdersPart';
import type { Send } from '../../orders';

export default class OrdersByClientWebPart extends OrdersPart {
  protected readonly ask: Send = createAiFetch({ idempotencyKey: true });

  // The context comes after the constructor.
  protected get read(): Send {
    return createSpFetch({ fetch: viaSPHttpClient(this.context.spHttpClient, SPHttpClient.configurations.v1) });
  }

  protected runsOn(): string {
    return engine();
  }
}
