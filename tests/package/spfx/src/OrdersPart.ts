import { BaseClientSideWebPart } from '@microsoft/sp-webpart-base';
import { Send, summaryOf, titlesOf } from './orders';

export interface IOrdersProps {
  listUrl: string;
  modelUrl: string;
}

/** All of a web part but what it sends its requests by. */
export abstract class OrdersPart extends BaseClientSideWebPart<IOrdersProps> {
  /** For SharePoint. */
  protected abstract readonly read: Send;
  /** For a model's back end. */
  protected abstract readonly ask: Send;
  /** What the two have been run by, once they were. */
  protected abstract runsOn(): string;

  public render(): void {
    this.show().catch(({ message }: Error) => this.put('p', message).setAttribute('role', 'alert'));
  }

  private async show(): Promise<void> {
    const titles = await titlesOf(this.read, this.properties.listUrl);
    titles.forEach((title) => this.put('li', title));
    this.put('p', await summaryOf(this.ask, this.properties.modelUrl, titles));
    this.put('footer', this.runsOn());
  }

  private put(tag: string, text: string): HTMLElement {
    const element = document.createElement(tag);
    element.textContent = text;
    return this.domElement.appendChild(element);
  }
}
