export interface Press {
  key: string;
  repeat?: boolean;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
  isComposing?: boolean;
  defaultPrevented?: boolean;
}

export interface Target {
  localName: string;
  type?: string;
  isContentEditable?: boolean;
}

export function keyOf(press: Press, at: { target: Target; isDialogOpen: boolean; singleKeys: boolean }): string | null;
export function isTypedInto(target: Target): boolean;
