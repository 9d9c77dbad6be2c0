// glslang in its "late SPIR-V" form: sources are parsed and linked by the plain OpenGL rules, and only then is the
// intermediate tree declared to target SPIR-V. It is the only form of glslang that takes every desktop GLSL version.
// Must not assign locations, bindings or sets: that is the lowering's work, which sees all stages.

#include "shim.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "SPIRV/GlslangToSpv.h"
#include "glslang/Include/intermediate.h"
#include "glslang/MachineIndependent/localintermediate.h"
#include "glslang/Public/ShaderLang.h"

namespace {

const EShLanguage kStages[] = {EShLangVertex,   EShLangTessControl, EShLangTessEvaluation,
                               EShLangGeometry, EShLangFragment,    EShLangCompute};

void stageLimits(TBuiltInResource& r, const MglLimits& l)
{
    const int components = l.uniform_vectors * 4, units = l.texture_units, varying = l.varying_vectors * 4;
    r.maxVertexUniformComponents = r.maxFragmentUniformComponents = r.maxGeometryUniformComponents = components;
    r.maxTessControlUniformComponents = r.maxTessEvaluationUniformComponents = r.maxComputeUniformComponents = components;
    r.maxVertexUniformVectors = r.maxFragmentUniformVectors = l.uniform_vectors;
    r.maxVertexTextureImageUnits = r.maxTextureImageUnits = r.maxGeometryTextureImageUnits = units;
    r.maxTessControlTextureImageUnits = r.maxTessEvaluationTextureImageUnits = r.maxComputeTextureImageUnits = units;
    // What the tables of GL 4.6 (23.58 to 23.61) demand at least.
    const int narrow = varying > 64 ? varying : 64, wide = varying > 128 ? varying : 128;
    r.maxVaryingFloats = r.maxVaryingComponents = varying;
    r.maxVertexOutputComponents = r.maxGeometryInputComponents = narrow;
    r.maxVertexOutputVectors = r.maxFragmentInputVectors = r.maxVaryingVectors = l.varying_vectors;
    r.maxGeometryOutputComponents = r.maxFragmentInputComponents = wide;
    r.maxGeometryVaryingComponents = narrow;
    r.maxTessControlInputComponents = r.maxTessControlOutputComponents = wide;
    r.maxTessEvaluationInputComponents = r.maxTessEvaluationOutputComponents = wide;
}

// A stage without counter buffers has no counters.
void memoryLimits(TBuiltInResource& r, const MglLimits& l)
{
    int* const images[] = {&r.maxVertexImageUniforms,   &r.maxTessControlImageUniforms, &r.maxTessEvaluationImageUniforms,
                           &r.maxGeometryImageUniforms, &r.maxFragmentImageUniforms,    &r.maxComputeImageUniforms};
    int* const buffers[] = {&r.maxVertexAtomicCounterBuffers,         &r.maxTessControlAtomicCounterBuffers,
                            &r.maxTessEvaluationAtomicCounterBuffers, &r.maxGeometryAtomicCounterBuffers,
                            &r.maxFragmentAtomicCounterBuffers,       &r.maxComputeAtomicCounterBuffers};
    int* const counters[] = {&r.maxVertexAtomicCounters,         &r.maxTessControlAtomicCounters,
                             &r.maxTessEvaluationAtomicCounters, &r.maxGeometryAtomicCounters,
                             &r.maxFragmentAtomicCounters,       &r.maxComputeAtomicCounters};
    for (int stage = 0; stage < 6; ++stage) {
        *images[stage] = l.stage_images[stage];
        *buffers[stage] = l.stage_counter_buffers[stage];
        *counters[stage] = l.stage_counter_buffers[stage] > 0 ? l.counters : 0;
    }
    r.maxCombinedImageUniforms = l.images;
    r.maxCombinedAtomicCounterBuffers = l.counter_buffers;
    r.maxCombinedAtomicCounters = l.counter_buffers > 0 ? l.counters : 0;
    r.maxAtomicCounterBindings = l.atomic_buffers;
    r.maxAtomicCounterBufferSize = 4 * l.counters;
    r.maxImageUnits = l.image_units;
    r.maxCombinedShaderOutputResources = l.images + l.storage_blocks + l.draw_buffers;
    r.maxCombinedImageUnitsAndFragmentOutputs = r.maxCombinedShaderOutputResources;
}

TBuiltInResource resources(const MglLimits& l)
{
    TBuiltInResource r = {};
    stageLimits(r, l);
    memoryLimits(r, l);
    r.maxLights = 8;
    r.maxClipPlanes = l.clip_distances;
    r.maxTextureUnits = r.maxTextureCoords = 8;
    r.maxVertexAttribs = l.vertex_attribs;
    r.maxCombinedTextureImageUnits = l.combined_texture_units;
    r.maxDrawBuffers = l.draw_buffers;
    r.minProgramTexelOffset = l.texel_offset[0];
    r.maxProgramTexelOffset = l.texel_offset[1];
    r.maxClipDistances = r.maxCullDistances = r.maxCombinedClipAndCullDistances = l.clip_distances;
    r.maxComputeWorkGroupCountX = l.group_count[0];
    r.maxComputeWorkGroupCountY = l.group_count[1];
    r.maxComputeWorkGroupCountZ = l.group_count[2];
    r.maxComputeWorkGroupSizeX = l.group_size[0];
    r.maxComputeWorkGroupSizeY = l.group_size[1];
    r.maxComputeWorkGroupSizeZ = l.group_size[2];
    r.maxImageSamples = l.image_samples;
    r.maxSamples = l.samples;
    r.maxGeometryOutputVertices = l.geometry_vertices;
    r.maxGeometryTotalOutputComponents = 1024;
    r.maxTessControlTotalOutputComponents = 4096;
    r.maxTessPatchComponents = 120;
    r.maxPatchVertices = l.patch_vertices;
    r.maxTessGenLevel = 64;
    r.maxViewports = l.viewports;
    r.maxTransformFeedbackBuffers = l.xfb_buffers;
    r.maxTransformFeedbackInterleavedComponents = l.xfb_components;
    r.maxDualSourceDrawBuffersEXT = l.dual_source;
    r.limits.nonInductiveForLoops = r.limits.whileLoops = r.limits.doWhileLoops = true;
    r.limits.generalUniformIndexing = r.limits.generalAttributeMatrixVectorIndexing = true;
    r.limits.generalVaryingIndexing = r.limits.generalSamplerIndexing = true;
    r.limits.generalVariableIndexing = r.limits.generalConstantMatrixVectorIndexing = true;
    return r;
}

// `shared` and `packed` leave the layout to the implementation: std140 for uniform blocks, std430 for storage blocks
// (GLSL 4.60 section 4.4.5), so that every block has explicit offsets.
class LayoutBlocks : public glslang::TIntermTraverser {
public:
    void visitSymbol(glslang::TIntermSymbol* symbol) override
    {
        glslang::TType& type = symbol->getWritableType();
        glslang::TQualifier& q = type.getQualifier();
        if (type.getBasicType() != glslang::EbtBlock) return;
        const bool open = q.layoutPacking == glslang::ElpNone || q.layoutPacking == glslang::ElpShared ||
                          q.layoutPacking == glslang::ElpPacked;
        if (!open) return;
        if (q.storage == glslang::EvqUniform) q.layoutPacking = glslang::ElpStd140;
        if (q.storage == glslang::EvqBuffer) q.layoutPacking = glslang::ElpStd430;
    }
};

void boolMembers(const glslang::TType& type, const std::string& path, std::string& out)
{
    if (type.getBasicType() == glslang::EbtBool) out += "bool " + path + "\n";
    if (!type.isStruct()) return;
    for (const auto& member : *type.getStruct())
        boolMembers(*member.type, path + "." + member.type->getFieldName().c_str(), out);
}

// Built-ins in use, as `name LINE gl_Name`, for GLSL 1.40: glslang still declares what that version withdrew.
class NameBuiltIns : public glslang::TIntermTraverser {
public:
    std::string out;
    void visitSymbol(glslang::TIntermSymbol* symbol) override
    {
        const std::string name = symbol->getName().c_str();
        if (name.compare(0, 3, "gl_") == 0) out += "name " + std::to_string(symbol->getLoc().line) + " " + name + "\n";
    }
};

// The binding point after the last of what has one, `points KIND END NAME`; of counters the byte after the last.
std::string points(const glslang::TIntermSymbol& symbol, const std::string& name)
{
    const glslang::TType& type = symbol.getType();
    const glslang::TQualifier& q = type.getQualifier();
    if (!q.hasBinding()) return {};
    const bool sized = type.isArray() && !type.isUnsizedArray();
    const unsigned long long count = sized ? type.getCumulativeArraySize() : 1;
    const auto line = [&](const char* kind, unsigned long long end) {
        return std::string("points ") + kind + " " + std::to_string(end) + " " + name + "\n";
    };
    if (type.getBasicType() == glslang::EbtBlock) return line("block", q.layoutBinding + count);
    if (type.getBasicType() == glslang::EbtAtomicUint) return q.hasOffset() ? line("counter", q.layoutOffset + 4 * count) : "";
    if (type.getBasicType() != glslang::EbtSampler) return {};
    return line(type.getSampler().isImage() ? "image" : "sampler", q.layoutBinding + count);
}

// What SPIR-V does not say. Lines: `bool BLOCK.member.path` for block members of boolean type, `bound NAME` for uniforms and
// blocks with a binding, `order NAME` for inputs and outputs as they are declared, `points KIND END NAME` for blocks, images,
// samplers and counters with a binding (see above), `unsized` for a compute stage without a work group size.
std::string facts(const glslang::TIntermediate& tree)
{
    std::string out;
    if (tree.getStage() == EShLangCompute && !tree.isLocalSizeSet()) out += "unsized\n";
    const glslang::TIntermAggregate* objects = tree.findLinkerObjects();
    if (objects == nullptr) return out;
    for (TIntermNode* node : objects->getSequence()) {
        glslang::TIntermSymbol* symbol = node->getAsSymbolNode();
        if (symbol == nullptr) continue;
        const auto storage = symbol->getQualifier().storage;
        if (symbol->getQualifier().isPipeInput() || symbol->getQualifier().isPipeOutput()) {
            const bool named = symbol->getBasicType() == glslang::EbtBlock;
            out += std::string("order ") + (named ? symbol->getType().getTypeName() : symbol->getName()).c_str() + "\n";
        }
        if (storage != glslang::EvqUniform && storage != glslang::EvqBuffer) continue;
        const bool block = symbol->getBasicType() == glslang::EbtBlock;
        const std::string name = block ? symbol->getType().getTypeName().c_str() : symbol->getName().c_str();
        if (symbol->getQualifier().hasBinding()) out += "bound " + name + "\n";
        out += points(*symbol, name);
        if (block) boolMembers(symbol->getType(), symbol->getType().getTypeName().c_str(), out);
    }
    return out;
}

char* copy(const std::string& text)
{
    char* out = static_cast<char*>(std::malloc(text.size() + 1));
    if (out != nullptr) std::memcpy(out, text.c_str(), text.size() + 1);
    return out;
}

// What one shader's text becomes. A shader may be parsed anew with more text before it.
struct Parsed {
    std::unique_ptr<glslang::TShader> shader;
    std::string preamble;
    bool ok = false;

    void parse(EShLanguage language, const MglSource& source, const TBuiltInResource& resource, const std::string& before)
    {
        preamble = before;
        shader = std::make_unique<glslang::TShader>(language);
        shader->setStringsWithLengths(&source.text, &source.length, 1);
        if (!preamble.empty()) shader->setPreamble(preamble.c_str());
        ok = shader->parse(&resource, 110, ENoProfile, false, false, EShMsgDefault);
    }
    const glslang::TIntermediate* tree() const { return shader->getIntermediate(); }
};

// Text that sizes the arrays over vertices as the shader does; empty when it declares no size.
std::string sizing(EShLanguage language, const glslang::TIntermediate* tree)
{
    const int none = glslang::TQualifier::layoutNotSet;
    if (tree == nullptr) return {};
    if (language == EShLangTessControl && tree->getVertices() != none)
        return "#extension GL_ARB_tessellation_shader : enable\nlayout(vertices = " + std::to_string(tree->getVertices()) +
               ") out;\n";
    if (language == EShLangGeometry && tree->getInputPrimitive() != glslang::ElgNone)
        return std::string("layout(") + glslang::TQualifier::getGeometryString(tree->getInputPrimitive()) + ") in;\n";
    return {};
}

// One shader of a stage sizes the arrays over vertices for all (GLSL 4.60 sections 4.4.1.2 and 4.4.2.1). glslang wants a size
// where it meets such an array: shaders without one are parsed again with that of another.
void shareSizes(EShLanguage language, std::vector<Parsed>& all, const MglSource* sources, const TBuiltInResource& resource)
{
    std::string size;
    for (const Parsed& one : all)
        if (size.empty()) size = sizing(language, one.tree());
    if (size.empty() || all.size() < 2) return;
    for (size_t i = 0; i < all.size(); ++i)
        if (sizing(language, all[i].tree()).empty()) all[i].parse(language, sources[i], resource, all[i].preamble + size);
}

// A control shader alone that leaves the size to another one: what else is wrong with it shows with any size.
void assumeSize(std::vector<Parsed>& all, const MglSource* sources, const TBuiltInResource& resource, int vertices)
{
    const char* const unsized = "before being indexed with a variable";
    if (all.size() != 1 || all[0].ok || std::strstr(all[0].shader->getInfoLog(), unsized) == nullptr) return;
    Parsed again;
    again.parse(EShLangTessControl, sources[0], resource, all[0].preamble + "#extension GL_ARB_tessellation_shader : enable\n" +
                "layout(vertices = " + std::to_string(vertices) + ") out;\n");
    if (again.ok) all[0].ok = true;
}

// Flags that glslang lets nobody clear.
struct FragCoord : glslang::TIntermediate {
    static bool& upper(glslang::TIntermediate& tree) { return tree.*(&FragCoord::originUpperLeft); }
    static bool& integer(glslang::TIntermediate& tree) { return tree.*(&FragCoord::pixelCenterInteger); }
};

class FindFragCoord : public glslang::TIntermTraverser {
public:
    bool found = false;
    void visitSymbol(glslang::TIntermSymbol* symbol) override { found |= symbol->getName() == "gl_FragCoord"; }
};

// Shaders that use gl_FragCoord declare it alike (GLSL 4.60 section 4.4.1.3). glslang compares those that do not use it too,
// so equal flags are taken off all of them and given to the linked stage.
struct SharedFragCoord {
    bool upper = false, integer = false;

    SharedFragCoord() = default;
    explicit SharedFragCoord(std::vector<Parsed>& all)
    {
        bool used = false;
        for (Parsed& one : all) {
            glslang::TIntermediate& tree = *one.shader->getIntermediate();
            FindFragCoord find;
            if (tree.getTreeRoot() != nullptr) tree.getTreeRoot()->traverse(&find);
            if (!find.found) continue;
            // Left as they are, the flags fail the link.
            if (used && (upper != FragCoord::upper(tree) || integer != FragCoord::integer(tree))) return;
            used = true;
            upper = FragCoord::upper(tree);
            integer = FragCoord::integer(tree);
        }
        if (!used) return;
        for (Parsed& one : all)
            FragCoord::upper(*one.shader->getIntermediate()) = FragCoord::integer(*one.shader->getIntermediate()) = false;
    }
    void give(glslang::TIntermediate& tree) const
    {
        if (upper) tree.setOriginUpperLeft();
        if (integer) tree.setPixelCenterInteger();
    }
};

// Calls of functions without a body. The generator follows a null pointer for a built-in one that it has no code for.
class FindBodies : public glslang::TIntermTraverser {
public:
    std::set<std::string> defined, called;
    bool visitAggregate(glslang::TVisit, glslang::TIntermAggregate* node) override
    {
        if (node->getOp() == glslang::EOpFunction) defined.insert(node->getName().c_str());
        if (node->getOp() == glslang::EOpFunctionCall) called.insert(node->getName().c_str());
        return true;
    }
    // The first without one, by its name without the types.
    std::string missing() const
    {
        for (const std::string& name : called)
            if (defined.count(name) == 0) return name.substr(0, name.find('('));
        return {};
    }
};

struct Initialised {
    Initialised() { glslang::InitializeProcess(); }
};

void generate(glslang::TIntermediate& tree, MglCode& out, std::string& log, std::string& known)
{
    FindBodies bodies;
    tree.getTreeRoot()->traverse(&bodies);
    if (const std::string name = bodies.missing(); !name.empty()) {
        log += "ERROR: '" + name + "' : there is no code for this function\n";
        return;
    }
    LayoutBlocks layout;
    tree.getTreeRoot()->traverse(&layout);
    glslang::SpvVersion target;
    target.spv = glslang::EShTargetSpv_1_3;
    target.openGl = 100;
    tree.setSpv(target);
    tree.setUseStorageBuffer();
    std::vector<unsigned int> words;
    spv::SpvBuildLogger logger;
    glslang::SpvOptions options;
    options.disableOptimizer = true;
    glslang::GlslangToSpv(tree, words, &logger, &options);
    const std::string messages = logger.getAllMessages();
    log += messages;
    // What it does not know it leaves out, and what is left is no module.
    if (messages.find("issing functionality") != std::string::npos) {
        log += "ERROR: the shader uses what there is no code for\n";
        return;
    }
    known += facts(tree);
    out.words = static_cast<uint32_t*>(std::malloc(words.size() * 4 + 4));
    if (out.words == nullptr) return;
    std::memcpy(out.words, words.data(), words.size() * 4);
    out.word_count = words.size();
    out.linked = words.empty() ? 0 : 1;
}

void linkStage(EShLanguage language, std::vector<Parsed>& all, MglCode& out, std::string& log, std::string& known)
{
    const SharedFragCoord coord = language == EShLangFragment && all.size() > 1 ? SharedFragCoord(all) : SharedFragCoord();
    glslang::TProgram program;
    // The one that sizes arrays over vertices comes first: the others are compared with it.
    std::stable_partition(all.begin(), all.end(), [&](const Parsed& p) { return !sizing(language, p.tree()).empty(); });
    for (Parsed& one : all) program.addShader(one.shader.get());
    const bool linked = program.link(EShMsgDefault);
    log += program.getInfoLog();
    glslang::TIntermediate* tree = program.getIntermediate(language);
    if (!linked || tree == nullptr || tree->getTreeRoot() == nullptr) return;
    coord.give(*tree);
    generate(*tree, out, log, known);
}

}  // namespace

void mgl_glsl_stage(int32_t stage, const MglSource* sources, int32_t count, const MglLimits* limits,
                    const char* preamble, MglCode* out)
{
    static const Initialised once;
    std::memset(out, 0, sizeof *out);
    const EShLanguage language = kStages[stage];
    const TBuiltInResource resource = resources(*limits);
    std::vector<Parsed> all(count);
    std::string parse_log, link_log, known;
    for (int32_t i = 0; i < count; ++i) all[i].parse(language, sources[i], resource, preamble);
    if (language == EShLangTessControl) assumeSize(all, sources, resource, limits->patch_vertices);
    shareSizes(language, all, sources, resource);
    out->parsed = 1;
    for (const Parsed& one : all) {
        const glslang::TIntermediate* tree = one.tree();
        if (!one.ok) out->parsed = 0;
        parse_log += one.shader->getInfoLog();
        if (tree == nullptr) continue;
        if (tree->getNumEntryPoints() > 0) out->has_entry = 1;
        if (tree->getVersion() > out->version) out->version = tree->getVersion();
        if (tree->isEsProfile()) out->es = 1;
        NameBuiltIns names;
        if (tree->getVersion() == 140 && tree->getTreeRoot() != nullptr) tree->getTreeRoot()->traverse(&names);
        known += names.out;
    }
    if (out->parsed != 0 && (out->has_entry != 0 || count > 1)) linkStage(language, all, *out, link_log, known);
    out->facts = copy(known);
    out->parse_log = copy(parse_log);
    out->link_log = copy(link_log);
}

void mgl_glsl_free(MglCode* code)
{
    std::free(code->parse_log);
    std::free(code->link_log);
    std::free(code->facts);
    std::free(code->words);
    std::memset(code, 0, sizeof *code);
}
